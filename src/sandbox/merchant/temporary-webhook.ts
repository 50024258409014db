import { once } from 'node:events';
import { connect } from 'node:net';
import type { PaymentCollectionClient } from '#client/payment-collection-client.js';

/** A webhook of the sandbox's account that exists only while the listening program runs. */
export class TemporaryWebhook {
  private constructor(
    private readonly client: PaymentCollectionClient,
    private readonly accountID: string,
    readonly id: string,
    readonly secret: string,
  ) {}

  /**
   * Registers a webhook, and deletes those that killed runs of the same program left.
   * @param url of a loopback address, listened on already @param description names the program
   * @throws PaymentCollectionError
   */
  static async register(
    client: PaymentCollectionClient,
    accountID: string,
    { url, description }: { url: string; description: string },
  ): Promise<TemporaryWebhook> {
    const path = { accountID };
    for await (const earlier of client.list('/v1/account/{accountID}/webhook/list', { path })) {
      const isAbandoned = earlier.description === description && !(await isListening(new URL(earlier.url)));
      // Another run may delete it at the same moment: the outcome is the same.
      if (isAbandoned) await remove(client, accountID, earlier.id).catch(() => undefined);
    }
    const body = { url, event_type: 'payment_request' as const, description };
    const { id, secret } = await client.post('/v1/account/{accountID}/webhook', {
      params: { path },
      body,
    });
    return new TemporaryWebhook(client, accountID, id, secret);
  }

  /** DELETE on this path deletes the webhook. */
  get path(): string {
    return `/v1/account/${this.accountID}/webhook/${this.id}/delete`;
  }

  /** @throws PaymentCollectionError */
  async delete(): Promise<void> {
    await remove(this.client, this.accountID, this.id);
  }
}

function remove(client: PaymentCollectionClient, accountID: string, webhookID: string): Promise<unknown> {
  const params = { path: { accountID, webhookID } };
  return client.delete('/v1/account/{accountID}/webhook/{webhookID}/delete', { params });
}

/** False only for a loopback address where nothing listens. Where something does, another run of the program may be in use. */
async function isListening({ hostname, port }: URL): Promise<boolean> {
  const host = hostname.replace(/[[\]]/g, '');
  if (!/^(127(\.\d+){3}|::1)$/.test(host)) return true;
  const socket = connect(Number(port || 80), host);
  const answered = once(socket, 'connect').then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ECONNREFUSED',
  );
  return answered.finally(() => socket.destroy());
}
