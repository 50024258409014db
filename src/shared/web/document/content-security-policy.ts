import type { PageAssets } from './inline-asset.js';

/**
 * A page loads and calls nothing but its own origin, and runs only its own style and script (CSP level 3).
 * @param loaded source expressions of the scripts that the page may load by their integrity: hashes, so that no path or origin
 *   lets another script in
 * @param frameOrigins sites that may show the page in a frame; without any, no site may
 */
export function contentSecurityPolicy(
  {
    style,
    script,
    branding,
    isInstallable = false,
    ownImages = isInstallable || branding?.logo !== undefined,
  }: PageAssets,
  frameOrigins: readonly string[],
  loaded: readonly string[] = [],
): string {
  const scripts = [...(script ? [script.hash] : []), ...loaded];
  return [
    "default-src 'none'",
    `style-src ${[style, ...(branding ? [branding.style] : [])].map(({ hash }) => hash).join(' ')}`,
    `script-src ${scripts.join(' ') || "'none'"}`,
    `img-src data:${ownImages ? " 'self'" : ''}`,
    "connect-src 'self'",
    ...(isInstallable ? ["manifest-src 'self'", "worker-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameOrigins.length > 0 ? frameOrigins.join(' ') : "'none'"}`,
  ].join('; ');
}
