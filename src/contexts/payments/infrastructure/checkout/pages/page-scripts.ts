import { createHash } from 'node:crypto';
import { inlineAsset, type InlineAsset } from '#shared/web/document/inline-asset.js';
import { scriptOfModules, SHARED_BROWSER_MODULES } from '#shared/web/script/joined-modules.js';
import { PAGE_LANGUAGES, type MessageCatalogue, type PageLanguage } from '#shared/web/messages/languages.js';
import type { CheckoutPageModel } from './checkout-page-model.js';
import { walletEnglish, type WalletMessages } from './messages/wallet.en.js';
import { walletSpanish } from './messages/wallet.es.js';
import { walletPortuguese } from './messages/wallet.pt.js';
import { isPayablePhase, checkoutPhaseOf } from './checkout-phase.js';

/** The content security policy lists the script's hash instead of an origin. */
export interface PageScript extends InlineAsset {
  /** Contains the content hash, so the content at this path never changes. */
  readonly path: string;
}

export const WALLET_MESSAGES: MessageCatalogue<WalletMessages> = {
  en: walletEnglish,
  es: walletSpanish,
  pt: walletPortuguese,
};

/** Listed in the order of their imports. */
export const WALLET_SCRIPT_MODULES: readonly URL[] = [
  ...SHARED_BROWSER_MODULES,
  ...[
    'payment-calls',
    'wallet-requests',
    'payment-record',
    'session-facts',
    'wallet-view',
    'wallet-state',
    'wallet-payment',
    'wallet-screens',
    'browser-wallet',
  ].map((name) => moduleUrl(`./wallet/${name}.browser.js`)),
];

export const WALLET_SCRIPTS = Object.fromEntries(
  PAGE_LANGUAGES.map((language) => [language, walletScript(language)]),
) as MessageCatalogue<PageScript>;

/** Only the sandbox's pages load it. */
export const SANDBOX_WALLET_SCRIPT = pageScript(
  'sandbox-wallet',
  inlineAsset(moduleUrl('./sandbox-wallet.browser.js')).text,
);

export const PAGE_SCRIPTS: ReadonlyMap<string, PageScript> = new Map(
  [...Object.values(WALLET_SCRIPTS), SANDBOX_WALLET_SCRIPT].map((script) => [script.path, script]),
);

/** None if the session can no longer be paid. */
export function loadableScripts(model: CheckoutPageModel, language: PageLanguage): readonly PageScript[] {
  if (!isPayablePhase(checkoutPhaseOf(model))) return [];
  return [WALLET_SCRIPTS[language], ...(model.sandbox ? [SANDBOX_WALLET_SCRIPT] : [])];
}

function walletScript(language: PageLanguage): PageScript {
  return pageScript(`wallet-${language}`, scriptOfModules(WALLET_SCRIPT_MODULES, WALLET_MESSAGES[language]));
}

function pageScript(name: string, text: string): PageScript {
  const digest = createHash('sha256').update(text);
  const id = digest.copy().digest('hex').slice(0, 16);
  return { text, hash: `'sha256-${digest.digest('base64')}'`, path: `/checkout/assets/${name}-${id}.js` };
}

function moduleUrl(name: string): URL {
  return new URL(name, import.meta.url);
}
