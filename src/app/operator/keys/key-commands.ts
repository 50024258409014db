import { ResealAuthenticators } from '#contexts/identity/infrastructure/people/persistence/authenticator-secrets.js';
import { ResealWebhookSecrets } from '#contexts/webhooks/infrastructure/registration/secrets/aes-webhook-secrets.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import type { ServiceCommand, StandaloneCommand } from '../command.js';

export const naspipKeyCommand: StandaloneCommand = {
  words: 'naspip-key create',
  about: 'Make a key for signing payment tokens; nothing is stored.',
  example: '--json',
  async runAlone() {
    const { secretKey, publicKey } = generatePaserkKeyPair();
    const note = 'Put secret_key into NASPIP_SECRET_KEY and keep it nowhere else.';
    return { data: { secret_key: secretKey, public_key: publicKey }, note };
  },
};

export const rotateKeysCommand: ServiceCommand = {
  words: 'keys rotate',
  about:
    'Encrypt stored secrets anew under the first keys of WEBHOOK_SECRET_KEYS and DASHBOARD_SECRET_KEYS; safe to repeat.',
  changes: {
    what: 'under which key stored secrets are encrypted',
    undo: 'put the other key first, and repeat.',
    audited: 'around it',
  },
  example: '--json',
  async run(context) {
    const webhook_secrets = await context.get(ResealWebhookSecrets).execute();
    const authenticator_secrets = await context.get(ResealAuthenticators).execute();
    const unreadable = webhook_secrets.unreadable + authenticator_secrets.unreadable;
    const note =
      unreadable === 0
        ? 'Once every process runs with these keys first and a repetition finds nothing, the other keys can be taken out.'
        : 'What is unreadable wants a key that is not in the settings. Put it back behind the first one and repeat.';
    return { data: { webhook_secrets, authenticator_secrets }, note, exitCode: unreadable === 0 ? 0 : 1 };
  },
};
