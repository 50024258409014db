import { readFileSync } from 'node:fs';
import { writeWhole, type SandboxFolder } from '../folder/sandbox-folder.js';
import { WebhookReceiver } from './webhook-receiver.js';

interface Kept {
  account_id: string;
  port: number;
  secret: string;
}

/**
 * Listens where the webhook of an earlier demonstration leads, with its secret; so that one webhook serves them all,
 * and none is left behind for each. Where there is none yet, or its port is taken, on another port and without a secret.
 */
export async function listenAgain(folder: SandboxFolder, accountId: string): Promise<WebhookReceiver> {
  const kept = read(folder);
  if (kept?.account_id !== accountId) return WebhookReceiver.listen();
  try {
    const receiver = await WebhookReceiver.listen(kept.port);
    receiver.secret = kept.secret;
    return receiver;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return WebhookReceiver.listen();
  }
}

/** The secret is shown once, so it is kept for the next demonstration, for its owner's eyes only. */
export function keepWebhook(folder: SandboxFolder, accountId: string, receiver: WebhookReceiver): void {
  const kept: Kept = {
    account_id: accountId,
    port: Number(new URL(receiver.url).port),
    secret: receiver.secret,
  };
  writeWhole(folder.demoWebhook, `${JSON.stringify(kept)}\n`);
}

function read(folder: SandboxFolder): Kept | undefined {
  try {
    return JSON.parse(readFileSync(folder.demoWebhook, 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}
