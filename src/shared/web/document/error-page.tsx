import type { VNode } from 'preact';
import { sameOriginPath } from '../safe-links.js';
import type { PageLanguage } from '../messages/languages.js';
import { LanguageSwitch } from '../parts/language-switch.js';
import { DocumentShell } from './document-shell.js';
import type { PageAssets } from './inline-asset.js';

export interface ErrorPageProps {
  readonly language: PageLanguage;
  readonly style: PageAssets['style'];
  readonly title: string;
  /** Next steps for the reader, one paragraph each. */
  readonly notes: readonly string[];
  /** Path of the page, which differs from the URL if the page answers a POST. */
  readonly path?: string | undefined;
  /** Link to try again. Omitted if its path is not on this origin. */
  readonly wayOn?: { readonly label: string; readonly path: string | undefined };
}

export function ErrorPage({ language, style, title, notes, path, wayOn }: ErrorPageProps): VNode {
  const href = sameOriginPath(wayOn?.path);
  return (
    <DocumentShell language={language} title={title} style={style}>
      <main class="error">
        <section>
          <h1>{title}</h1>
          {notes.map((note) => (
            <p>{note}</p>
          ))}
          {wayOn !== undefined && href !== undefined && (
            <p>
              <a class="button primary" href={href}>
                {wayOn.label}
              </a>
            </p>
          )}
        </section>
      </main>
      <LanguageSwitch language={language} path={sameOriginPath(path)} />
    </DocumentShell>
  );
}
