import { t, type TranslatedPhrase } from '../dashboard/words/text.js';

/** Edge and Opera come first, because their `User-Agent` also contains "Chrome". */
const BROWSER_PATTERNS: readonly (readonly [name: string, version: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d{1,4})/],
  ['Opera', /\bOPR\/(\d{1,4})/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d{1,4})/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d{1,4})/],
  ['Safari', /\bVersion\/(\d{1,4})[\d.]* (?:Mobile\/\S+ )?Safari\//],
];

/** Patterns of operating systems in the header `User-Agent`. iPads identify themselves as Macs. */
const SYSTEM_PATTERNS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** `User-Agent` is untrusted: returns only the part that is recognized. */
export function describeBrowser(userAgent: string): TranslatedPhrase | string {
  const browser = findBrowser(userAgent) ?? t('Unknown browser');
  const system = SYSTEM_PATTERNS.find(([, mark]) => mark.test(userAgent))?.[0];
  return system === undefined ? browser : t('{browser} on {system}', { browser, system });
}

function findBrowser(userAgent: string): string | undefined {
  for (const [name, version] of BROWSER_PATTERNS) {
    const [, number] = version.exec(userAgent) ?? [];
    if (number !== undefined) return `${name} ${number}`;
  }
  return undefined;
}
