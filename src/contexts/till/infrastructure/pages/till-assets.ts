import { createHash } from 'node:crypto';
import {
  inlineAssetOf,
  inlineAsset,
  SHARED_STYLES,
  type PageAssets,
} from '#shared/web/document/inline-asset.js';
import { PAGE_LANGUAGES, type MessageCatalogue } from '#shared/web/messages/languages.js';
import { scriptOfModules, SHARED_BROWSER_MODULES } from '#shared/web/script/joined-modules.js';
import { tillEnglish, type TillTexts } from './messages/till.en.js';
import { tillSpanish } from './messages/till.es.js';
import { tillPortuguese } from './messages/till.pt.js';

export const TILL_MESSAGES: MessageCatalogue<TillTexts> = {
  en: tillEnglish,
  es: tillSpanish,
  pt: tillPortuguese,
};

/** Each module follows the modules that it imports. */
export const TILL_SCRIPT_MODULES: readonly URL[] = [
  ...SHARED_BROWSER_MODULES,
  ...[
    'app-state',
    'prices',
    'store',
    'page',
    'service',
    'signals',
    'shop',
    'payment-state',
    'codes',
    'sale',
    'pairing-screen',
    'tip-screen',
    'pad-screen',
    'payment-screen',
    'today-screen',
    'settings-screen',
    'till',
  ].map((name) => urlOf(`../app/${name}.browser.js`)),
];

const TILL_STYLE = inlineAsset(...SHARED_STYLES, urlOf('./till.browser.css'));

/** Part of the document, so that it works offline. */
export const TILL_PAGE_ASSETS = Object.fromEntries(
  PAGE_LANGUAGES.map((language) => {
    const script = inlineAssetOf(scriptOfModules(TILL_SCRIPT_MODULES, TILL_MESSAGES[language].script));
    return [language, { style: TILL_STYLE, script, isInstallable: true }];
  }),
) as MessageCatalogue<PageAssets>;

const workerScript = inlineAsset(urlOf('./till-worker.browser.js')).text;

/** Contains a hash of the till, because browsers update a worker only if it differs. */
export const TILL_SERVICE_WORKER = `const VERSION = '${hashOfTill()}';\n${workerScript}`;

function hashOfTill(): string {
  const hash = createHash('sha256').update(workerScript).update(TILL_STYLE.hash);
  for (const language of PAGE_LANGUAGES) hash.update(TILL_PAGE_ASSETS[language].script!.hash);
  return hash.digest('hex').slice(0, 16);
}

function urlOf(name: string): URL {
  return new URL(name, import.meta.url);
}
