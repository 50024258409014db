import { once } from 'node:events';
import { connect } from 'node:net';
import type { ApiClient } from './api-client.js';
import type { AnswerOf } from './api-types.js';

/** A webhook of the sandbox's account that exists only while the listening program runs. */
export class SandboxWebhook {
  private constructor(
    private readonly api: ApiClient,
    /** DELETE on this path deletes the webhook. */
    readonly path: string,
    readonly id: string,
    readonly secret: string,
  ) {}

  /**
   * Registers a webhook, and deletes those that killed runs of the same program left.
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
    // Another run may delete them at the same moment: the outcome is the same.
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

/** True for a loopback address where nothing listens. Where something does, another run of the program may be in use. */
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
