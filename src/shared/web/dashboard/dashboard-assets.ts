import { COPY_SCRIPT, inlineAsset, SHARED_STYLES, type PageAssets } from '../document/inline-asset.js';

/** What all pages of the dashboard inline. */
export const DASHBOARD_ASSETS = {
  style: inlineAsset(...SHARED_STYLES, new URL('./dashboard.browser.css', import.meta.url)),
  script: inlineAsset(
    new URL('./dashboard.browser.js', import.meta.url),
    new URL('./passkeys.browser.js', import.meta.url),
    COPY_SCRIPT,
  ),
} satisfies PageAssets;
