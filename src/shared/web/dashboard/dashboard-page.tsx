import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { type CollaboratorRole, hasPermission, roleName } from '../../kernel/dashboard-access.js';
import { DocumentShell } from '../document/document-shell.js';
import { HAS_PASSKEY_CONTEXT } from './form-parts.js';
import { StateBadge } from './page-parts.js';
import {
  COPY_SCRIPT,
  inlineAsset,
  linkedStyleSheet,
  type PageAssets,
  SHARED_STYLES,
} from '../document/inline-asset.js';
import { SHARED_MESSAGES } from '../messages/shared-messages.js';
import { TIME_DISPLAY_CONTEXT } from '../parts/values.js';
import { type NavigationEntry, navigationFor, navigationLabel } from './places.js';
import { LANGUAGE_CONTEXT, t, type DisplayText, useTranslator } from './words/text.js';

const OWN_ASSETS = {
  style: inlineAsset(
    ...SHARED_STYLES,
    new URL('./dashboard.browser.css', import.meta.url),
    new URL('./navigation.browser.css', import.meta.url),
    new URL('./forms.browser.css', import.meta.url),
    new URL('./marks.browser.css', import.meta.url),
    new URL('./lists.browser.css', import.meta.url),
    new URL('../charts/charts.browser.css', import.meta.url),
  ),
  script: inlineAsset(
    new URL('./dashboard.browser.js', import.meta.url),
    new URL('./passkeys.browser.js', import.meta.url),
    COPY_SCRIPT,
  ),
} satisfies PageAssets;

/** The complete style sheet. Its path contains a hash of its content, so that browsers can cache it permanently. */
export const DASHBOARD_STYLE = linkedStyleSheet('/app/assets', OWN_ASSETS.style);

/** The style sheet has its own URL, because it is as large as the HTML of a whole list page. */
export const DASHBOARD_ASSETS = {
  style: DASHBOARD_STYLE.imported,
  script: OWN_ASSETS.script,
} satisfies PageAssets;

export interface Installation {
  /** True unless the installation is in production. */
  readonly isTestMode: boolean;
  readonly origin: string;
  readonly documentationUrl?: string | undefined;
}

const PRODUCT_NAME = 'Payment Collection Service';

export const INSTALLATION_CONTEXT = createContext<Installation | undefined>(undefined);

export function withInstallation(installation: Installation | undefined, page: VNode): VNode {
  return <INSTALLATION_CONTEXT.Provider value={installation}>{page}</INSTALLATION_CONTEXT.Provider>;
}

export interface PageUser {
  /** True if the person can use a passkey instead of a one-time code. */
  readonly hasPasskey?: boolean;
  readonly name: string;
  readonly email: string;
  readonly role: CollaboratorRole;
  readonly organizationName: string;
  /** IANA time zone of the organization. */
  readonly timeZone: string;
  /** Time of the request by the service's clock. Relative times such as "3 minutes ago" refer to it. */
  readonly at: Date;
}

interface DashboardPageProps {
  readonly visitor: PageUser;
  readonly title: DisplayText;
  /** Replaces the page's title as heading, for example with an amount and a status. */
  readonly heading?: ComponentChildren;
  /** Path of the navigation entry that the page belongs to. Subpages link back to it. */
  readonly place?: string;
  readonly searched?: string;
  readonly actions?: ComponentChildren;
  /** Time zone of all times on the page; default: the organization's. */
  readonly zone?: string;
  readonly children: ComponentChildren;
}

/** A page for a signed-in person, with search and navigation. */
export function DashboardPage(props: DashboardPageProps): VNode {
  const words = useTranslator();
  const { visitor, place, searched, actions, zone = visitor.timeZone, children } = props;
  const title = words(props.title);
  const label = navigationLabel(place);
  return (
    <DashboardDocument title={`${title} · ${visitor.organizationName}`}>
      <a class="skip" href="#content">
        {t('Skip to content')}
      </a>
      <div class="frame">
        <Sidebar visitor={visitor} place={place} searched={searched} />
        <main id="content" tabindex={-1}>
          <div class="heading">
            <div>
              {label !== undefined && label !== props.title && (
                <a class="back" href={place}>
                  {t(label)}
                </a>
              )}
              <h1>{props.heading ?? title}</h1>
            </div>
            {actions}
          </div>
          <TIME_DISPLAY_CONTEXT.Provider value={{ now: visitor.at, zone }}>
            <HAS_PASSKEY_CONTEXT.Provider value={visitor.hasPasskey === true}>
              {children}
            </HAS_PASSKEY_CONTEXT.Provider>
          </TIME_DISPLAY_CONTEXT.Provider>
          <p class="note zone">{t('Times in {zone}', { zone })}</p>
          <ScriptMessages />
        </main>
      </div>
    </DashboardDocument>
  );
}

type SideProps = Pick<DashboardPageProps, 'visitor' | 'place' | 'searched'>;

/** Paths of the entries in the bar at the bottom of a phone. */
const PHONE_SHORTCUTS: readonly string[] = ['/app', '/app/payments', '/app/till'];

/** The sidebar with the navigation. On a phone, a bar at the bottom opens the navigation, even without JavaScript. */
function Sidebar({ visitor, place, searched }: SideProps): VNode {
  const words = useTranslator();
  const { isTestMode = false, documentationUrl } = useContext(INSTALLATION_CONTEXT) ?? {};
  return (
    <header class="side">
      <div class="top">
        <a class="brand" href="/app">
          <bdi>{visitor.organizationName}</bdi>
        </a>
        {isTestMode && <StateBadge tone="care">{t('Test mode')}</StateBadge>}
      </div>
      {hasPermission(visitor.role, 'read') && (
        <form role="search" method="get" action="/app/search">
          <label class="unseen" for="q">
            {t('Search')}
          </label>
          <input
            id="q"
            name="q"
            type="search"
            placeholder={words('Order, address, hash')}
            value={searched}
            maxlength={400}
          />
        </form>
      )}
      <nav class="bottom" aria-label={words('Shortcuts')}>
        {navigationFor(visitor.role)
          .flatMap(({ places }) => places)
          .filter(({ path }) => PHONE_SHORTCUTS.includes(path))
          .map((one) => (
            <NavigationLink {...one} isCurrent={one.path === place} />
          ))}
        <button type="button" popovertarget="menu">
          {t('Menu')}
        </button>
      </nav>
      <div id="menu" popover>
        <button type="button" class="button menu" popovertarget="menu" popovertargetaction="hide">
          {t('Close')}
        </button>
        <nav aria-label={words('Dashboard')}>
          {navigationFor(visitor.role).map(({ label, places }) => (
            <>
              {label !== undefined && <p class="group">{t(label)}</p>}
              <ul>
                {places.map((one) => (
                  <li>
                    <NavigationLink {...one} isCurrent={one.path === place} />
                  </li>
                ))}
              </ul>
            </>
          ))}
        </nav>
        <div class="self">
          <a href="/app/account">
            <bdi>{visitor.name}</bdi>
            <span class="note">{t(roleName(visitor.role))}</span>
          </a>
          <div class="top">
            {documentationUrl && <a href={documentationUrl}>{t('Documentation')}</a>}
            {hasPermission(visitor.role, 'read') && <a href="/docs">{t('API reference')}</a>}
            <form method="post" action="/app/sign-out">
              <button class="quiet">{t('Sign out')}</button>
            </form>
          </div>
        </div>
      </div>
    </header>
  );
}

function NavigationLink({ path, label, isCurrent }: NavigationEntry & { isCurrent: boolean }): VNode {
  return (
    <a href={path} {...(isCurrent ? { 'aria-current': 'page' as const } : {})}>
      {t(label)}
    </a>
  );
}

interface EntryPageProps {
  readonly title: DisplayText;
  /** True if the person is known and can use a passkey instead of a one-time code. */
  readonly hasPasskey?: boolean | undefined;
  readonly children: ComponentChildren;
}

/** A page before sign-in is complete: a single card without navigation. */
export function SignInFlowPage({ hasPasskey = false, children, ...props }: EntryPageProps): VNode {
  const title = useTranslator()(props.title);
  const installation = useContext(INSTALLATION_CONTEXT);
  return (
    <DashboardDocument title={title}>
      <main class="entry">
        {installation !== undefined && (
          <p class="note">
            <strong>{PRODUCT_NAME}</strong> · {/* People recognize a phishing page by its host. */}
            {t('You are on {host}', { host: <bdi>{new URL(installation.origin).host}</bdi> })}
          </p>
        )}
        <section class="card">
          <h1>{title}</h1>
          <HAS_PASSKEY_CONTEXT.Provider value={hasPasskey}>{children}</HAS_PASSKEY_CONTEXT.Provider>
        </section>
        <ScriptMessages />
      </main>
    </DashboardDocument>
  );
}

function DashboardDocument({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <DocumentShell language={useContext(LANGUAGE_CONTEXT)} title={title} {...DASHBOARD_ASSETS}>
      {children}
    </DocumentShell>
  );
}

/** Empty element in which scripts announce messages to screen readers, with their translated texts. */
function ScriptMessages(): VNode {
  const words = useTranslator();
  const { copy, copied, selected } = SHARED_MESSAGES[useContext(LANGUAGE_CONTEXT)];
  const said = {
    'data-copy': copy,
    'data-copied': copied,
    'data-selected': selected,
    'data-unused': words('The passkey was not used.'),
  };
  return <p id="news" class="unseen" role="status" {...said} />;
}
