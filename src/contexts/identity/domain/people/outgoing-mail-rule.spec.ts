import { describe, expect, it } from '@jest/globals';
import { prepareMailForStorage } from './outgoing-mail-rule.js';

const mail = { recipient: 'anna@shop.example', subject: 'Paid', body: 'text' };

describe('An outgoing mail', () => {
  it('has a subject of one line that is not too long', () => {
    expect(prepareMailForStorage({ ...mail, subject: ' Paid\r\nBcc: eve@else.example\u2028' }).subject).toBe(
      'Paid Bcc: eve@else.example',
    );
    expect(prepareMailForStorage({ ...mail, subject: '€'.repeat(200) }).subject).toBe('€'.repeat(200));
    expect(prepareMailForStorage({ ...mail, subject: '€'.repeat(201) }).subject).toBe(`${'€'.repeat(199)}…`);
  });

  it.each([
    'a@b.example, c@d.example',
    'a@b.example\nBcc: c@d.example',
    'Anna <a@b.example>',
    'a@b.example>\r\nRCPT TO:<c@d.example',
    '',
  ])('is rejected if the recipient is not one plain email address: %j', (recipient) => {
    expect(() => prepareMailForStorage({ ...mail, recipient })).toThrow(RangeError);
  });

  it.each([
    'https://a.example/>, <mailto:x@y.example',
    'https://a.example/\r\nBcc: x',
    'mailto:x@y.example',
    '',
  ])('is rejected if the unsubscribe address is not an HTTPS URL of one line: %j', (unsubscribeUrl) => {
    expect(() => prepareMailForStorage({ ...mail, unsubscribeUrl })).toThrow(RangeError);
  });

  it('is limited in length', () => {
    const longest = { ...mail, html: 'x'.repeat(262_144 - mail.body.length) };
    expect(prepareMailForStorage(longest).html).toBe(longest.html);
    expect(() => prepareMailForStorage({ ...longest, body: `${mail.body}.` })).toThrow('too long');
  });
});
