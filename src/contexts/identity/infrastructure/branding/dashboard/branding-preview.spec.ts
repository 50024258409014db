import { describe, expect, it } from '@jest/globals';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { BrandingPreview } from './branding-preview.js';

describe('The preview of a branding', () => {
  it('names the contrast of a colour only if it is below the minimum', () => {
    const parts = ['00', '55', '6a', '80', 'aa', 'ff'];
    const colours = parts.flatMap((r) => parts.flatMap((g) => parts.map((b) => `#${r}${g}${b}`)));

    const html = colours
      .map((colour) => htmlDocument(BrandingPreview({ name: 'Corner', colour, logo: null })))
      .join('');

    const named = [...html.matchAll(/contrast of ([\d.]+)/g)].map(([, contrast]) => Number(contrast));
    expect(named.length).toBeGreaterThan(100);
    expect(Math.max(...named)).toBeLessThan(4.5);
  });
});
