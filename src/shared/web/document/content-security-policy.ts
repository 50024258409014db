import type { PageAssets } from './inline-asset.js';

/**
 * Returns the content security policy (CSP level 3) of a page: it may load only from its own origin, and run only its
 * own style and script.
 * @param loaded source expressions of scripts loaded with integrity hashes. No path or origin is allowed, so no other
 * script can run.
 * @param frameOrigins sites that may frame the page; default: none
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
