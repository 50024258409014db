import { SignInAndMailSettings } from '#contexts/identity/infrastructure/identity-settings.js';
import { parseEmail } from '#shared/kernel/email-address.js';
import { DashboardSettings } from '#shared/platform/http/dashboard/dashboard-settings.js';
import type { SettingReader } from '#shared/platform/setting-reader.js';
import { readRequiredOrigin } from './read-checkout-settings.js';
import { type ProcessSettings, webProtocols } from './process-settings.js';

export function readDashboardSettings(
  reader: SettingReader,
  { environment, httpPort, publicUrl }: ProcessSettings,
) {
  const isDevelopment = environment === 'development';
  // Uses `localhost`, because browsers do not support passkeys on an IP address.
  const standard = isDevelopment ? `http://localhost:${httpPort}` : publicUrl;
  const url = reader.url('DASHBOARD_URL', webProtocols(environment), standard);
  const smtpUrl = reader.url('SMTP_URL', isDevelopment ? ['smtp', 'smtps'] : ['smtps', 'smtp'], '');
  const mailFrom = reader.text('MAIL_FROM', isDevelopment ? 'dashboard@sandbox.example' : '');
  if (!isDevelopment && (smtpUrl === '' || mailFrom === ''))
    reader.addProblem(
      'SMTP_URL and MAIL_FROM are missing. Invitations and password resets are sent by email.',
    );
  if (mailFrom !== '' && parseEmail(/^[^<>]*<([^<>]+)>$/.exec(mailFrom)?.[1] ?? mailFrom) === undefined)
    reader.addProblem(
      'MAIL_FROM must be an e-mail address, like payments@shop.example or Shop <payments@shop.example>.',
    );
  return {
    dashboard: new DashboardSettings(
      url === standard && URL.canParse(url)
        ? new URL(url).origin
        : readRequiredOrigin(reader, 'DASHBOARD_URL', url),
      reader.url('DOCUMENTATION_URL', webProtocols(environment), '') || undefined,
    ),
    people: new SignInAndMailSettings({
      secretKeys: reader.keyRing('DASHBOARD_SECRET_KEYS'),
      smtpUrl: smtpUrl === '' ? undefined : smtpUrl,
      mailFrom,
    }),
  };
}
