import { describe, expect, it } from '@jest/globals';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { STATUSES } from '#shared/web/parts/badge.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { styleguidePage } from './styleguide-page.js';

const MAX_BYTES = 30_000;

describe('The style guide', () => {
  const visitor = {
    name: 'Anna',
    email: 'anna@shop.example',
    role: 'owner',
    organizationName: 'Shop',
    timeZone: 'UTC',
    at: new Date('2027-01-02T12:00:00Z'),
  } as const;
  const html = htmlDocument(styleguidePage(visitor));

  it('shows every status with its word, and no word for two tones', () => {
    for (const [tone, word] of Object.values(STATUSES))
      expect(html).toContain(`<span class="state ${tone}">${word}</span>`);
    const words = Object.values(STATUSES).map(([, word]) => word);
    expect(new Set(words).size).toBe(words.length);
  });

  it('is a page like all others: light, with nothing that its policy forbids', () => {
    expect(Buffer.byteLength(html)).toBeLessThan(MAX_BYTES);
    expect(html).not.toMatch(/ style=| on[a-z]+=|<script src/);
    expect(visible(html)).toContain('1,234.50 USDC');
  });
});
