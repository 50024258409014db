import { isUuid, type CredentialId } from '#shared/kernel/ids.js';

export type ServiceEnvironment = 'development' | 'staging' | 'production';

/** The environment that this installation's credentials are for. */
export class KeyEnvironment {
  constructor(readonly name: ServiceEnvironment) {}
}

const PREFIXES: Record<ServiceEnvironment, string> = {
  development: 'svc.dev.',
  staging: 'svc.stg.',
  production: 'svc.prd.',
};

/** The public half of a credential: the environment's prefix and the credential's id (docs/reference/authentication.md, "Credential"). */
export function keyIdOf(environment: ServiceEnvironment, id: CredentialId): string {
  return PREFIXES[environment] + id;
}

/** True for text that can be a key id of this environment at all. */
export function isKeyIdOf(environment: ServiceEnvironment, text: string): boolean {
  const prefix = PREFIXES[environment];
  return text.startsWith(prefix) && isUuid(text.slice(prefix.length)) && text === text.toLowerCase();
}
