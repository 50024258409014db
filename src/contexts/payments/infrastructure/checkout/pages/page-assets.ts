import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** What is inlined, as it stands in the page: the hashes are of exactly these characters. */
export const pageStyle = [
  './checkout.browser.css',
  './checkout-payment.browser.css',
  './checkout-controls.browser.css',
]
  .map(read)
  .join('\n');
export const pageScript = read('./checkout.browser.js');

/** Sources for `style-src` and `script-src` of the content security policy. */
export const styleHash = hash(pageStyle);
export const scriptHash = hash(pageScript);

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
    .replace(/\/\*[\s\S]*?\*\/ ?/g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^\s+/gm, '')
    .trim();
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
