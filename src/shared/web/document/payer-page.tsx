import type { ComponentChildren, VNode } from 'preact';
import { withBranding } from '../branding/page-branding.js';
import type { PageLanguage } from '../messages/languages.js';
import { SHARED_MESSAGES } from '../messages/shared-messages.js';
import { LanguageSwitch } from '../parts/language-switch.js';
import { DocumentShell } from './document-shell.js';
import type { PageAssets, PageBranding } from './inline-asset.js';

interface PayerPageProps {
  readonly language: PageLanguage;
  readonly title: string;
  readonly assets: PageAssets;
  /** Seconds after which a browser without JavaScript reloads the page. */
  readonly refresh?: number | undefined;
  readonly merchant: string;
  readonly branding: PageBranding | undefined;
  /** Label next to the merchant's name that marks a test network. */
  readonly badge?: string | undefined;
  readonly children: ComponentChildren;
}

/** A page for payers. The header shows the merchant's name with its logo or initial. A logo never replaces the name. */
export function PayerPage({
  assets,
  merchant,
  branding,
  badge,
  children,
  ...document
}: PayerPageProps): VNode {
  const [initial = ''] = merchant.trim();
  const logo = branding?.logo;
  return (
    <DocumentShell {...document} {...withBranding(assets, branding)}>
      <header class="bar">
        {logo === undefined ? (
          <span class="initial" aria-hidden="true">
            {initial.toUpperCase()}
          </span>
        ) : (
          <img class="logo" src={logo.path} width={logo.width} height={logo.height} alt="" />
        )}
        <bdi class="name">{merchant}</bdi>
        {badge !== undefined && <span class="badge">{badge}</span>}
        {branding?.supportHref !== undefined && (
          <a class="support" href={branding.supportHref} target="_blank" rel="noreferrer">
            {SHARED_MESSAGES[document.language].support}
          </a>
        )}
      </header>
      {children}
      <LanguageSwitch language={document.language} />
    </DocumentShell>
  );
}
