import type { ComponentChildren, VNode } from 'preact';
import { may, shownRole, type CollaboratorRole } from '../../kernel/dashboard-access.js';
import { DocumentShell } from '../document/document-shell.js';
import { DASHBOARD_ASSETS } from './dashboard-assets.js';
import { PLACES } from './navigation.js';

/** Who looks at a page. */
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
  /** What stands in the search box. */
  readonly searched?: string;
  /** Links and buttons beside the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page of someone signed in: where they are, where they can go, and the page itself. */
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

/** A page on the way in: no navigation, one card. */
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
