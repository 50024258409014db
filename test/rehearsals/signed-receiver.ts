import { listenForDeliveries } from '#sandbox/listener/delivery-listener.js';
import { verifyDelivery } from '#sandbox/listener/verify-delivery.js';
import type { Rehearsal } from './rehearsal.js';

/** A merchant's receiver that takes what one of its secrets verifies, and counts by secret. */
export class SignedReceiver {
  url = '';
  /** The secrets that it accepts: during a change two. */
  secrets: string[] = [];
  refused = 0;
  /** Deliveries by the index of the first secret that verifies them, over all secrets there were. */
  readonly verified: number[] = [];
  private readonly all: string[] = [];

  static async listen(rehearsal: Rehearsal): Promise<SignedReceiver> {
    const receiver = new SignedReceiver();
    const server = await listenForDeliveries({
      ...{ host: '127.0.0.1', port: 0, path: '/payments', onRefused: () => undefined },
      handle: (delivery) => {
        const by = receiver.secrets.find((one) => verifyDelivery(delivery, [one], new Date()).own.verifies);
        if (by === undefined) receiver.refused += 1;
        else receiver.count(by);
        return by === undefined ? 401 : 200;
      },
    });
    rehearsal.atEnd(() => server.close());
    receiver.url = server.url;
    return receiver;
  }

  private count(secret: string): void {
    if (!this.all.includes(secret)) this.all.push(secret);
    const index = this.all.indexOf(secret);
    this.verified[index] = (this.verified[index] ?? 0) + 1;
  }
}
