import { t, type Said } from '../dashboard/words/text.js';

/** Browser names in the user agent, specific before general: Edge and Opera also contain Chrome. */
const BROWSERS: readonly (readonly [name: string, version: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d{1,4})/],
  ['Opera', /\bOPR\/(\d{1,4})/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d{1,4})/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d{1,4})/],
  ['Safari', /\bVersion\/(\d{1,4})[\d.]* (?:Mobile\/\S+ )?Safari\//],
];

/** iPads identify as Macs. */
const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Describes a browser by its `User-Agent`, which is untrusted: `Firefox 128 on Linux`, or the known part. */
export function shownBrowser(userAgent: string): Said | string {
  const browser = namedBrowser(userAgent) ?? t('Unknown browser');
  const system = SYSTEMS.find(([, mark]) => mark.test(userAgent))?.[0];
  return system === undefined ? browser : t('{browser} on {system}', { browser, system });
}

function namedBrowser(userAgent: string): string | undefined {
  for (const [name, version] of BROWSERS) {
    const [, number] = version.exec(userAgent) ?? [];
    if (number !== undefined) return `${name} ${number}`;
  }
  return undefined;
}
