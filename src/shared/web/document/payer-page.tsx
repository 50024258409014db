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
  /** True on a development network, which uses test assets. */
  readonly sandbox?: boolean;
  readonly children: ComponentChildren;
}

/** A page for payers. The header shows the merchant's name with its logo or initial. A logo never replaces the name. */
export function PayerPage({
  assets,
  merchant,
  branding,
  sandbox = false,
  children,
  ...document
}: PayerPageProps): VNode {
  const [initial = ''] = merchant.trim();
  const logo = branding?.logo;
  const text = SHARED_MESSAGES[document.language];
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
        {sandbox && <span class="badge">{text.sandbox}</span>}
        {branding?.supportHref !== undefined && (
          <a class="support" href={branding.supportHref} target="_blank" rel="noreferrer">
            {text.support}
          </a>
        )}
      </header>
      {children}
      <LanguageSwitch language={document.language} />
    </DocumentShell>
  );
}
