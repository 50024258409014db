import {
  COPY_SCRIPT,
  inlineAsset,
  SHARED_STYLES,
  type PageAssets,
} from '#shared/web/document/inline-asset.js';

/** Style and script of the payer pages. All of them inline the style; only the checkout page has the script. */
export const PAYER_ASSETS = {
  style: inlineAsset(
    ...SHARED_STYLES,
    own('./payment.browser.css'),
    own('./ways.browser.css'),
    own('./checkout.browser.css'),
  ),
  script: inlineAsset(
    own('./checkout.browser.js'),
    own('./ways.browser.js'),
    own('./browser-wallet-loader.browser.js'),
    own('./site-messages.browser.js'),
    COPY_SCRIPT,
  ),
} satisfies PageAssets;

function own(name: string): URL {
  return new URL(name, import.meta.url);
}
