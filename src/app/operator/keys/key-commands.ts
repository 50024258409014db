import { ResealAuthenticators } from '#contexts/identity/infrastructure/people/persistence/authenticator-secrets.js';
import { ChatChannels } from '#contexts/notifications/infrastructure/persistence/chat-channels.js';
import { ResealWebhookSecrets } from '#contexts/webhooks/infrastructure/registration/persistence/aes-webhook-secrets.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import type { ServiceCommand, StandaloneCommand } from '../command.js';

export const naspipKeyCommand: StandaloneCommand = {
  words: 'naspip-key create',
  about: 'Generate a key that signs payment tokens. Nothing is stored.',
  example: '--json',
  async runAlone() {
    const { secretKey, publicKey } = generatePaserkKeyPair();
    const note = 'Set NASPIP_SECRET_KEY to secret_key, and store it nowhere else.';
    return { data: { secret_key: secretKey, public_key: publicKey }, note };
  },
};

export const reencryptSecretsCommand: ServiceCommand = {
  words: 'keys rotate',
  about:
    'Re-encrypt stored secrets with the first key of WEBHOOK_SECRET_KEYS and DASHBOARD_SECRET_KEYS. Safe to repeat.',
  changes: {
    what: 'the key that encrypts stored secrets',
    undo: 'put the previous key first and run it again.',
    audited: 'around it',
  },
  example: '--json',
  async run(context) {
    const webhook_secrets = await context.get(ResealWebhookSecrets).reseal();
    const authenticator_secrets = await context.get(ResealAuthenticators).reseal();
    const chat_channels = await context.get(ChatChannels).reseal();
    const secrets = { webhook_secrets, authenticator_secrets, chat_channels };
    const unreadable = Object.values(secrets).reduce((sum, counts) => sum + counts.unreadable, 0);
    const note =
      unreadable === 0
        ? 'Restart every process with these settings and run this command again. When it finds nothing, remove the old keys.'
        : 'Unreadable secrets need a key that is not in the settings. Append that key and run this command again.';
    return { data: secrets, note, exitCode: unreadable === 0 ? 0 : 1 };
  },
};
