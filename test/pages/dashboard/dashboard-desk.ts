import { beforeAll, expect } from '@jest/globals';
import { anotherOrganization } from '#test/support/another-organization.js';
import { OWN_FORM, signedIn } from '#test/support/dashboard-session.js';
import type { SharedService } from '#test/support/shared-service.js';
import type { TestService } from '#test/support/service.js';

/** In every field that somebody can write. */
export const HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

/** Three people before the dashboard of a service that several suites share. */
export class DashboardDesk {
  service!: TestService;
  /** `Cookie` headers of two people of the suite's organization, and of an Owner of another one. */
  owner = '';
  viewer = '';
  stranger = '';

  /** Registers with Jest that they are there before the suite's tests. */
  constructor(shared: SharedService) {
    beforeAll(async () => {
      this.service = await shared.shop();
      const { query, seed } = this.service;
      const other = await anotherOrganization(query, seed.organizationId);
      [this.owner, this.viewer, this.stranger] = await Promise.all([
        signedIn(query, seed.organizationId, 'owner'),
        signedIn(query, seed.organizationId, 'viewer'),
        signedIn(query, other, 'owner'),
      ]);
    });
  }

  get(path: string, cookie = this.owner): Promise<Response> {
    return fetch(`${this.service.apiUrl}${path}`, { headers: { cookie }, redirect: 'manual' });
  }

  async textOf(path: string, cookie = this.owner): Promise<string> {
    return (await this.get(path, cookie)).text();
  }

  post(
    path: string,
    form: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(`${this.service.apiUrl}${path}`, {
      method: 'POST',
      headers: { ...OWN_FORM, cookie: this.owner, ...headers },
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
  }

  async madeBy(answer: Promise<Response>): Promise<string> {
    const { status, headers } = await answer;
    expect(status).toBe(303);
    return headers.get('location')!.replace(/\?.*/, '');
  }

  /** The Owner's acts on the thing at the path by the audit log, oldest first. */
  async auditOf(path: string): Promise<string[]> {
    const entries = await this.service.query<{ action: string }>(
      `SELECT action FROM identity.audit_log
       WHERE subject_id = $1 AND actor LIKE 'owner-%' AND address = '127.0.0.1' ORDER BY position`,
      [path.split('/').pop()!],
    );
    return entries.map(({ action }) => action);
  }

  /** Expects that another organization is refused the page, and a Viewer and other sites the actions. */
  async expectRefusals(page: string, actions: readonly string[]): Promise<void> {
    expect((await this.get(page, this.stranger)).status).toBe(404);
    for (const action of actions) {
      expect((await this.post(action, {}, { cookie: this.viewer })).status).toBe(403);
      expect((await this.post(action, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    }
  }
}
