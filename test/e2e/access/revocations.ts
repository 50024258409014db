import { ELSEWHERE } from '#test/support/hostile/hostile-callers.js';
import { codeOf } from '#test/support/hostile/hostile-calls.js';
import { HostileHttp, type Received, type Sent } from '#test/support/hostile/hostile-http.js';
import type { Credential } from '#test/support/hostile/hostile-tenants.js';
import type { HostileWorld } from '#test/support/hostile/hostile-world.js';

type Change = (world: HostileWorld, credential: Credential) => Promise<void>;

/** A caller who reads gets the code from the next request on; `revoke` makes it so, and `restore` takes it back. */
export const REVOCATIONS: readonly (readonly [code: string, revoke: Change, restore: Change])[] = [
  ['credential_disabled', (world, one) => world.disable(one), (world, one) => world.enable(one)],
  [
    'role_required',
    (world, one) => world.change(one, { roles: ['write'] }),
    (world, one) => world.change(one, { roles: ['read'] }),
  ],
  [
    'ip_not_allowed',
    (world, one) => world.change(one, { allowedAddresses: [ELSEWHERE] }),
    (world, one) => world.change(one, { allowedAddresses: [] }),
  ],
];

export const DELETIONS: readonly (readonly [name: string, remove: Change])[] = [
  ['by itself', (world, one) => world.delete(one)],
  ['with its account, at one of them', removeAccount],
];

type Answers = Set<string | number>;

/** Callers of each replica that ask all the time while a credential is changed. */
const CALLERS = 2;

/** Replicas of one service that are asked with the same proofs. */
export class Replicas {
  private readonly https: readonly HostileHttp[];

  constructor(urls: readonly string[]) {
    this.https = urls.map((url) => new HostileHttp(url));
  }

  /**
   * Changes a credential while its callers ask every replica, one request after the other.
   * @returns what was answered to requests sent before the change was made, and to those sent once it was
   */
  async during(
    headers: Record<string, string>,
    change: () => Promise<unknown>,
  ): Promise<{ before: Answers; after: Answers }> {
    const [before, after]: [Answers, Answers] = [new Set(), new Set()];
    let isChanged = false;
    const keepAsking = async (http: HostileHttp): Promise<void> => {
      while (!isChanged) before.add(await read(http, headers));
      after.add(await read(http, headers));
    };
    const callers = this.https.flatMap((http) => Array.from({ length: CALLERS }, () => keepAsking(http)));
    await change();
    isChanged = true;
    // Sent at once, while the callers still wait for what they sent before.
    const sentAtOnce = this.https.map((http) => read(http, headers));
    for (const answer of await Promise.all(sentAtOnce)) after.add(answer);
    await Promise.all(callers);
    return { before, after };
  }

  close(): void {
    for (const http of this.https) http.close();
  }
}

async function read(http: HostileHttp, headers: Record<string, string>): Promise<string | number> {
  return codeOf(await http.send({ method: 'GET', target: '/v1/account', headers }));
}

export async function newAccount(world: HostileWorld): Promise<string> {
  const type = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Branch' });
  const { json } = await manage(world, { method: 'POST', target: '/v1/account', headers: type, body });
  return (json!['data'] as { id: string }).id;
}

async function removeAccount(world: HostileWorld, { id }: Credential): Promise<void> {
  const [row] = await world.service.query<{ account_id: string }>(
    'SELECT account_id FROM identity.credentials WHERE id = $1',
    [id],
  );
  await manage(world, { method: 'DELETE', target: `/v1/account/${row!.account_id}` });
}

async function manage(world: HostileWorld, sent: Sent): Promise<Received> {
  const headers = { ...sent.headers, ...(await world.proofs(world.home.credential)) };
  const answer = await world.http.send({ ...sent, headers });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer;
}
