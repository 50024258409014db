import { once } from 'node:events';
import { connect } from 'node:net';
import type { ApiClient } from './api-client.js';
import type { AnswerOf } from './api-types.js';

/** A webhook of the sandbox's account for as long as the program runs that listens there. */
export class SandboxWebhook {
  private constructor(
    private readonly api: ApiClient,
    /** Deletes it, with DELETE. */
    readonly path: string,
    readonly id: string,
    readonly secret: string,
  ) {}

  /**
   * Deletes also what the same program left behind when it was killed.
   * @param url of a loopback address, listened on already @param description names the program
   * @throws ApiRefused, ApiUnreachable
   */
  static async register(
    api: ApiClient,
    accountId: string,
    { url, description }: { url: string; description: string },
  ): Promise<SandboxWebhook> {
    const webhooks = `/v1/account/${accountId}/webhook`;
    const { data } = await api.get<AnswerOf<'listWebhooks'>>(`${webhooks}/list?page=1&page_size=100`);
    const earlier = data.filter((webhook) => webhook.description === description);
    // At the same moment another run may delete them, too: that is as good.
    await Promise.allSettled(
      earlier.map(async (webhook) => {
        if (await isAbandoned(new URL(webhook.url))) await api.delete(`${webhooks}/${webhook.id}/delete`);
      }),
    );
    const body = { url, event_type: 'payment_request', description };
    const { id, secret } = await api.post<AnswerOf<'registerWebhook'>>(webhooks, body);
    return new SandboxWebhook(api, `${webhooks}/${id}/delete`, id, secret);
  }

  /** @throws ApiRefused, ApiUnreachable */
  async delete(): Promise<void> {
    await this.api.delete(this.path);
  }
}

/** A loopback address where nobody listens. One that listens may be another run of the program, and in use. */
async function isAbandoned({ hostname, port }: URL): Promise<boolean> {
  const host = hostname.replace(/[[\]]/g, '');
  if (!/^(127(\.\d+){3}|::1)$/.test(host)) return false;
  const socket = connect(Number(port || 80), host);
  const refused = once(socket, 'connect').then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ECONNREFUSED',
  );
  return refused.finally(() => socket.destroy());
}
