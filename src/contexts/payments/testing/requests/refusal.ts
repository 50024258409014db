import { DomainError } from '../../../../shared/kernel/domain-error.js';

/** What `doing` was refused with. @throws where it was not, or failed otherwise */
export async function refusal(doing: Promise<unknown>): Promise<DomainError> {
  const error: unknown = await doing.then(
    () => new Error('It was not refused.'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DomainError)) throw error;
  return error;
}
