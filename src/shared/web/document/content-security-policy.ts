import type { PageAssets } from './inline-asset.js';

/**
 * A page loads and calls nothing but its own origin, and runs only its own style and script (CSP level 3).
 * @param frameOrigins sites that may show the page in a frame; without any, no site may
 */
export function contentSecurityPolicy(
  { style, script }: PageAssets,
  frameOrigins: readonly string[],
): string {
  return [
    "default-src 'none'",
    `style-src ${style.hash}`,
    `script-src ${script?.hash ?? "'none'"}`,
    'img-src data:',
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameOrigins.length > 0 ? frameOrigins.join(' ') : "'none'"}`,
  ].join('; ');
}
