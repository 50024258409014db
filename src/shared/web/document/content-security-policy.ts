import type { PageAssets } from './inline-asset.js';

/**
 * CSP level 3. @param loaded source expressions of scripts loaded with integrity hashes, so that no other script can
 * run @param frameOrigins default: none
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
    `style-src ${[style, ...(branding?.style ? [branding.style] : [])].map(({ hash }) => hash).join(' ')}`,
    `script-src ${scripts.join(' ') || "'none'"}`,
    `img-src data:${ownImages ? " 'self'" : ''}`,
    "connect-src 'self'",
    ...(isInstallable ? ["manifest-src 'self'", "worker-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameOrigins.length > 0 ? frameOrigins.join(' ') : "'none'"}`,
  ].join('; ');
}
