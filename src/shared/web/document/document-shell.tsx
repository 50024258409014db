import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PageLanguage } from '../messages/languages.js';
import type { PageAssets } from './inline-asset.js';

interface ShellProps {
  readonly language: PageLanguage;
  readonly title: string;
  readonly style: PageAssets['style'];
  /** Absent for pages without a script. */
  readonly script?: PageAssets['script'];
  readonly branding?: PageAssets['branding'];
  /** Web app manifest, with which browsers can install the page as an app. */
  readonly manifest?: { readonly path: string; readonly icon: string };
  /** Data attributes of the body, read by the script. */
  readonly body?: Readonly<Record<`data-${string}`, string>>;
  /** Seconds after which a browser without JavaScript reloads the page. */
  readonly refresh?: number;
  readonly children: ComponentChildren;
}

/** A complete HTML document. The script comes last, so that it does not delay the display of the QR code. */
export function DocumentShell({
  language,
  title,
  style,
  script,
  branding,
  manifest,
  body,
  refresh,
  children,
}: ShellProps): VNode {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        {/* Keeps phones from turning addresses, amounts and ids into telephone or calendar links. */}
        <meta name="format-detection" content="telephone=no" />
        {/* Without this link, browsers would request /favicon.ico. */}
        <link rel="icon" href={manifest?.icon ?? 'data:,'} />
        {manifest && (
          <>
            <link rel="manifest" href={manifest.path} />
            <link rel="apple-touch-icon" href={manifest.icon} />
          </>
        )}
        {refresh !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(refresh)} />
          </noscript>
        )}
        <style dangerouslySetInnerHTML={{ __html: style.text }} />
        {branding?.style && <style dangerouslySetInnerHTML={{ __html: branding.style.text }} />}
      </head>
      <body {...body}>
        {children}
        {script !== undefined && <script dangerouslySetInnerHTML={{ __html: script.text }} />}
      </body>
    </html>
  );
}

export function htmlDocument(shell: VNode): string {
  return `<!doctype html>${renderToString(shell)}`;
}
