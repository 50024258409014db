import { verifyNaspipToken, keyLookupIn, type NaspipPublicKeys } from '#shared/naspip/naspip-token.js';
import type { StandaloneCommand } from '#app/operator/command.js';
import { parseCommand } from '#app/operator/parse-command.js';
import { signingKeyCommands } from '#app/operator/keys/signing-key-commands.js';
import { changeSigningKeys } from '#app/signing-keys/write-signing-keys.js';
import type { TestService } from './service.js';

/** Keys in a file, made as the operator's command makes them, before there is a database for the operator's log. */
export class KeysFile {
  constructor(readonly path: string) {}

  /** @param signsIn as typed; the first of its kind signs at once @returns its id */
  async create(kind: 'token' | 'naspip', signsIn = '1h'): Promise<string> {
    const words = ['keys', 'create', kind, '--signs-in', signsIn];
    const { command, args } = parseCommand(signingKeyCommands, words, 'test');
    const { data } = await (command as StandaloneCommand).runAlone(args, { SIGNING_KEYS_FILE: this.path });
    return (data as { id: string }).id;
  }

  /** Makes these keys sign, as though their time had come. */
  letSign(...ids: readonly string[]): void {
    const signsFrom = new Date(Date.now() - 1);
    changeSigningKeys(this.path, ({ token, naspip }) => ({
      token: token.map((key) => (ids.includes(key.id) ? { ...key, signsFrom } : key)),
      naspip: naspip.map((key) => (ids.includes(key.id) ? { ...key, signsFrom } : key)),
    }));
  }
}

export class TokenCaller {
  private references = 0;

  constructor(private readonly service: TestService) {}

  async exchange(): Promise<string> {
    const { apiUrl, seed } = this.service;
    const answer = await fetch(`${apiUrl}/v1/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: seed.apiKey, api_secret: seed.apiSecret }),
    });
    return ((await answer.json()) as { data: { token: string } }).data.token;
  }

  async read(token: string): Promise<number> {
    const { apiUrl, seed } = this.service;
    const headers = { authorization: `Bearer ${token}`, 'x-service-api-key': seed.apiKey };
    return (await fetch(`${apiUrl}/v1/account/${seed.accountId}`, { headers })).status;
  }

  async pay(): Promise<string> {
    const { api, assets, seed } = this.service;
    const [asset] = assets;
    const body = {
      amount: '1',
      unique_asset_id: asset!.unique_asset_id,
      reference_id: `keys-${this.references++}`,
    };
    return (await api.post<{ token: string }>(`/v1/pos/${seed.posId}/payment-request`, body)).token;
  }

  async published(): Promise<NaspipPublicKeys> {
    return (await (await fetch(`${this.service.apiUrl}/.well-known/naspip-keys`)).json()) as NaspipPublicKeys;
  }

  /** Verifies by the keys that are published now. @returns the id of its key @throws NaspipTokenInvalid */
  async verified(paymentToken: string): Promise<string> {
    return verifyNaspipToken(paymentToken, keyLookupIn(await this.published()), new Date()).keyId;
  }
}
