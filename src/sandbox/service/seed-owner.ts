import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { DashboardOwner } from '../folder/sandbox-folder.js';
import { OperatorSession } from '../../app/operator/operator-session.js';

const EMAIL = 'owner@sandbox.example';
const NAME = 'Demonstration owner';
const ACTOR = 'sandbox';
const TOTP_MS = 30_000;

/**
 * Invites the Owner by the operator's command, and joins as a person would: by the pages' own forms.
 * @param known of an earlier start: kept while the person exists
 */
export async function seedOwner(
  environment: Readonly<Record<string, string>>,
  organizationId: string,
  apiUrl: string,
  known: DashboardOwner | null,
): Promise<DashboardOwner | null> {
  const operator = new OperatorSession({ environment, actor: ACTOR });
  try {
    const { data } = await operator.run<{ data: { email: string }[] }>(
      'collaborator',
      'list',
      '--organization',
      organizationId,
    );
    // Somebody else's organization by now, or a password that a crash lost.
    if (data.length > 0) return known;
    const invite = ['owner', 'invite', '--organization', organizationId, '--email', EMAIL];
    const { link } = await operator.run<{ link: string }>(...invite);
    const password = randomBytes(12).toString('base64url');
    await join(apiUrl + new URL(link).pathname, password);
    return { email: EMAIL, password };
  } finally {
    await operator.close();
  }
}

async function join(invitationUrl: string, password: string): Promise<void> {
  const joined = await post(invitationUrl, { name: NAME, password });
  const enrol = new URL('/app/second-factor/enrol', invitationUrl);
  const page = await (await fetch(enrol, { headers: { cookie: cookieOf(joined) } })).text();
  const secret = /id="secret"[^>]*>([A-Z2-7]+)</.exec(page)?.[1];
  if (secret === undefined) throw new Error('The enrolment page shows no secret.');
  // The code before the present one is taken too, and leaves that one to the first sign-in.
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() - TOTP_MS });
  const authenticator = new URL('/app/second-factor/authenticator', invitationUrl);
  await post(authenticator.href, { new_code: code }, cookieOf(joined));
}

async function post(url: string, form: Record<string, string>, cookie = ''): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', cookie },
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  if (answer.status >= 400)
    throw new Error(`The dashboard answered ${answer.status} to ${new URL(url).pathname}.`);
  return answer;
}

function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ');
}
