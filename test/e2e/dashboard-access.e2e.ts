import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signedIn } from '../support/dashboard-session.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => void (service = await startTestService()));
afterAll(() => service.stop());

const get = (path: string, cookie = '') =>
  fetch(service.apiUrl + path, { headers: { cookie }, redirect: 'manual' });

describe('The dashboard', () => {
  it('leads strangers to the sign-in and back to their page', async () => {
    const answer = await get('/app/audit-log?page=2');

    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/app/sign-in?then=%2Fapp%2Faudit-log%3Fpage%3D2');
  });

  it('shows its page to someone signed in', async () => {
    const cookie = await signedIn(service.query, service.seed.organizationId, 'viewer');

    const answer = await get('/app/audit-log', cookie);

    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Audit log');
  });

  it('leads on whoever has not shown the second factor', async () => {
    const cookie = await signedIn(service.query, service.seed.organizationId, 'owner', 'challenged');

    const answer = await get('/app/audit-log', cookie);

    expect(answer.headers.get('location')).toBe('/app/second-factor');
  });
});
