import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PageLanguage } from './messages.js';
import { pageScript, pageStyle } from './page-assets.js';

interface ShellProps {
  readonly language: PageLanguage;
  readonly title: string;
  /** For browsers without JavaScript, in seconds. */
  readonly refresh?: number;
  /** Has parts that the browser script keeps up to date. */
  readonly live?: boolean;
  readonly children: ComponentChildren;
}

/** The whole document. The script comes last, so that the QR code does not wait for it. */
export function DocumentShell({ language, title, refresh, live, children }: ShellProps): VNode {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        {/* Without it browsers ask for /favicon.ico. */}
        <link rel="icon" href="data:," />
        {refresh !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(refresh)} />
          </noscript>
        )}
        <style dangerouslySetInnerHTML={{ __html: pageStyle }} />
      </head>
      <body>
        {children}
        {live === true && <script dangerouslySetInnerHTML={{ __html: pageScript }} />}
      </body>
    </html>
  );
}

export function htmlDocument(shell: VNode): string {
  return `<!doctype html>${renderToString(shell)}`;
}
