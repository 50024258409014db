import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { DashboardOwner, SandboxFile } from '../folder/sandbox-folder.js';
import type { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';

const EMAIL = 'owner@sandbox.example';
const NAME = 'Demonstration owner';
const TOTP_MS = 30_000;

/**
 * Invites the Owner with an operator command, then joins through the dashboard's forms.
 * @param known owner of an earlier start
 */
export async function seedOwner(
  operator: OperatorCommandRunner,
  { organization_id, api_url, dashboard_owner: known }: SandboxFile,
): Promise<DashboardOwner | null> {
  const organization = ['--organization', organization_id];
  const { data } = await operator.run<{ data: object[] }>('collaborator', 'list', ...organization);
  // The organization already has people. `known` is null if a crash lost the password.
  if (data.length > 0) return known;
  const { link } = await operator.run<{ link: string }>('owner', 'invite', ...organization, '--email', EMAIL);
  const password = randomBytes(12).toString('base64url');
  await join(api_url + new URL(link).pathname, password);
  return { email: EMAIL, password };
}

async function join(invitationUrl: string, password: string): Promise<void> {
  const joined = accepted(await send(invitationUrl, { name: NAME, password }));
  const enrol = new URL('/app/second-factor/enrol', invitationUrl);
  const page = await (await outgoingFetch(enrol, { headers: { cookie: cookieOf(joined) } })).text();
  const secret = /id="secret"[^>]*>([A-Z2-7]+)</.exec(page)?.[1];
  if (secret === undefined) throw new Error('The enrolment page shows no secret.');
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  // Uses the previous code, to leave the current code for the first sign-in.
  const enter = () => {
    const authenticator = new URL('/app/second-factor/authenticator', invitationUrl).href;
    return send(
      authenticator,
      { new_code: app.generate({ timestamp: Date.now() - TOTP_MS }) },
      cookieOf(joined),
    );
  };
  const entered = await enter();
  // The code expired before the request arrived.
  accepted(entered.status === 400 ? await enter() : entered);
}

function send(url: string, form: Record<string, string>, cookie = ''): Promise<Response> {
  const headers = { 'sec-fetch-site': 'same-origin', cookie };
  return outgoingFetch(url, { method: 'POST', headers, body: new URLSearchParams(form), redirect: 'manual' });
}

/** @throws Error if the dashboard rejected the form */
function accepted(answer: Response): Response {
  if (answer.status < 400) return answer;
  throw new Error(`The dashboard answered ${answer.status} to ${new URL(answer.url).pathname}.`);
}

function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ');
}
