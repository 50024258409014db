import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import { visible } from '../testing/visible-text.js';
import { DocumentShell, htmlDocument } from '../document/document-shell.js';
import { SHARED_MESSAGES } from '../messages/shared-messages.js';
import { Copyable } from './detail-item.js';
import { AmountText, RecordName, TIME_DISPLAY_CONTEXT, ShortId, TimeText } from './values.js';

const HASH = `0x${'5f'.repeat(32)}`;
const textOf = (node: VNode) => visible(renderToString(node));

describe('A text for copying', () => {
  it.each([
    <ShortId value={HASH} />,
    <AmountText amount="12.5" symbol="EUR" />,
    <Copyable id="address" label="Address" value={HASH} text={SHARED_MESSAGES.en} />,
  ])('is not translated by browsers: %#', (part) => {
    expect(renderToString(part)).toContain('translate="no"');
  });

  it('is not detected as a telephone number', () => {
    const page = htmlDocument(
      <DocumentShell language="en" title="" style={{ text: '', hash: '' }}>
        {HASH}
      </DocumentShell>,
    );

    expect(page).toContain('<meta name="format-detection" content="telephone=no"/>');
  });
});

describe('An id', () => {
  it('is shortened by styles only, so that its text is complete', () => {
    const html = renderToString(<ShortId value={HASH} />);

    expect(html).toContain(`title="${HASH}"`);
    expect(html).toMatch(/>0x5f5f5f<span>(5f)+<\/span>5f5f</);
    expect(visible(html)).toBe(HASH);
  });

  it('is hidden behind an existing name, which is escaped', () => {
    expect(renderToString(<RecordName name="<b>" id="some-id" href="/app/x" />)).toBe(
      '<a href="/app/x"><bdi>&lt;b></bdi></a>',
    );
    expect(renderToString(<RecordName name="Shop" id="some-id" />)).toMatch(
      /^<details.*Shop.*some-id.*<\/details>$/,
    );
  });
});

describe('Money', () => {
  it.each([
    [<AmountText amount={12_500_000n} decimals={6} symbol="USDC" />, '12.50 USDC'],
    [<AmountText amount={-1_234_567_000_001n} decimals={6} symbol="USDC" />, '-1,234,567.000001 USDC'],
    [<AmountText amount={1n} decimals={18} symbol="ETH" />, '0.000000000000000001 ETH'],
    [<AmountText amount="1000000.5" symbol="EUR" />, '1,000,000.50 EUR'],
  ])('is shown with all digits: %#', (money, text) => {
    expect(textOf(money)).toBe(text);
  });
});

describe('A time', () => {
  const now = new Date('2027-01-02T12:00:00Z');
  const shown = (at: string | null, zone = 'UTC') =>
    renderToString(
      <TIME_DISPLAY_CONTEXT.Provider value={{ now, zone }}>
        <TimeText at={at === null ? null : new Date(at)} />
      </TIME_DISPLAY_CONTEXT.Provider>,
    );

  it.each([
    ['2027-01-02T11:59:31Z', 'now'],
    ['2027-01-02T11:58:01Z', '1 minute ago'],
    ['2027-01-02T12:59:59Z', 'in 59 minutes'],
    ['2027-01-01T12:00:01Z', '23 hours ago'],
    ['2026-12-26T12:00:01Z', '6 days ago'],
    ['2026-12-26T12:00:00Z', 'Dec 26, 2026'],
    ['2027-02-01T00:00:00Z', 'Feb 1'],
  ])('is relative to the current time: %s', (at, text) => {
    expect(visible(shown(at))).toBe(text);
  });

  it('has the exact time in the zone of the reader', () => {
    expect(shown('2027-01-02T11:00:00.123Z', 'Asia/Tokyo')).toContain(
      '<time datetime="2027-01-02T11:00:00.123Z" title="2027-01-02 20:00:00 Asia/Tokyo">',
    );
  });

  it('is exact on a page without a current time, and "never" if it is missing', () => {
    expect(textOf(<TimeText at={now} />)).toBe('2027-01-02 12:00:00 UTC');
    expect(visible(shown(null))).toBe('never');
  });
});
