import {
  COPY_SCRIPT,
  inlineAsset,
  SHARED_STYLES,
  type PageAssets,
} from '#shared/web/document/inline-asset.js';

/** All payer pages inline the style; only the checkout page has the script. */
export const PAYER_PAGE_ASSETS = {
  style: inlineAsset(
    ...SHARED_STYLES,
    pageFile('./payment.browser.css'),
    pageFile('./ways.browser.css'),
    pageFile('./checkout.browser.css'),
  ),
  script: inlineAsset(
    pageFile('./checkout.browser.js'),
    pageFile('./browser-wallet-loader.browser.js'),
    pageFile('./site-messages.browser.js'),
    COPY_SCRIPT,
  ),
} satisfies PageAssets;

function pageFile(name: string): URL {
  return new URL(name, import.meta.url);
}
