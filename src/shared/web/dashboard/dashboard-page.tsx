import type { ComponentChildren, VNode } from 'preact';
import {
  may,
  shownRole,
  type CollaboratorRole,
  type DashboardAction,
} from '../../kernel/dashboard-access.js';
import { DocumentShell } from '../document/document-shell.js';
import { COPY_SCRIPT, inlineAsset, SHARED_STYLES, type PageAssets } from '../document/inline-asset.js';

interface Place {
  readonly path: string;
  readonly label: string;
  readonly action: DashboardAction;
}

/** The pages that every page leads to, the most visited first. */
export const PLACES: readonly Place[] = [
  { path: '/app', label: 'Overview', action: 'read' },
  { path: '/app/payments', label: 'Payments', action: 'read' },
  { path: '/app/transactions', label: 'Transactions', action: 'read' },
  { path: '/app/settlements', label: 'Settlements', action: 'read' },
  { path: '/app/refunds', label: 'Refunds', action: 'read' },
  { path: '/app/links', label: 'Payment links', action: 'read' },
  { path: '/app/subscriptions', label: 'Subscriptions', action: 'read' },
  { path: '/app/webhooks', label: 'Webhooks', action: 'read' },
  { path: '/app/points-of-sale', label: 'Points of sale', action: 'read' },
  { path: '/app/accounts', label: 'Accounts', action: 'read' },
  { path: '/app/api-keys', label: 'API keys', action: 'manage_keys' },
  { path: '/app/team', label: 'Team', action: 'read' },
  { path: '/app/audit-log', label: 'Audit log', action: 'read' },
];

/** All pages of the dashboard inline this style and script. */
export const DASHBOARD_ASSETS = {
  style: inlineAsset(
    ...SHARED_STYLES,
    new URL('./dashboard.browser.css', import.meta.url),
    new URL('./lists.browser.css', import.meta.url),
  ),
  script: inlineAsset(
    new URL('./dashboard.browser.js', import.meta.url),
    new URL('./passkeys.browser.js', import.meta.url),
    COPY_SCRIPT,
  ),
} satisfies PageAssets;

export interface PageVisitor {
  readonly name: string;
  readonly email: string;
  readonly role: CollaboratorRole;
  readonly organizationName: string;
}

interface DashboardPageProps {
  readonly visitor: PageVisitor;
  readonly title: string;
  /** Path of the place in the navigation that the page belongs to. */
  readonly place?: string;
  readonly searched?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page for a signed-in person: search, navigation, and the page itself. */
export function DashboardPage({
  visitor,
  title,
  place,
  searched,
  actions,
  children,
}: DashboardPageProps): VNode {
  return (
    <DashboardDocument title={`${title} · ${visitor.organizationName}`}>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <div class="frame">
        <header class="side">
          <a class="brand" href="/app">
            <bdi>{visitor.organizationName}</bdi>
          </a>
          <form role="search" method="get" action="/app/search">
            <label class="unseen" for="q">
              Search
            </label>
            <input
              id="q"
              name="q"
              type="search"
              placeholder="Id, hash, address, reference"
              value={searched}
              maxlength={400}
            />
          </form>
          <nav aria-label="Dashboard">
            <ul>
              {PLACES.filter(({ action }) => may(visitor.role, action)).map(({ path, label }) => (
                <li>
                  <a href={path} {...(path === place ? { 'aria-current': 'page' } : {})}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div class="self">
            <a href="/app/account">
              <bdi>{visitor.name}</bdi>
              <span class="note">{shownRole(visitor.role)}</span>
            </a>
            <form method="post" action="/app/sign-out">
              <button class="button">Sign out</button>
            </form>
          </div>
        </header>
        <main id="content" tabindex={-1}>
          <div class="heading">
            <h1>{title}</h1>
            {actions}
          </div>
          {children}
          <p id="news" class="unseen" role="status" />
        </main>
      </div>
    </DashboardDocument>
  );
}

/** A page before sign-in is complete: no navigation, one card. */
export function EntryPage({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <DashboardDocument title={title}>
      <main class="entry">
        <section class="card">
          <h1>{title}</h1>
          {children}
        </section>
        <p id="news" class="unseen" role="status" />
      </main>
    </DashboardDocument>
  );
}

function DashboardDocument({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <DocumentShell language="en" title={title} {...DASHBOARD_ASSETS}>
      {children}
    </DocumentShell>
  );
}
