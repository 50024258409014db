/** Why a process could not start, for its operator; with the stack only where the error has no name of its own. */
export function startFailureSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  if (code === 'EADDRINUSE') return `${error.message}. Stop what listens there, or set HTTP_PORT.`;
  if (code === '42P01' || code === '3F000') {
    return 'The database of DATABASE_URL lacks this release’s schema. Run the operator’s command: migrate.';
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01' || code === '3D000') {
    return `The database of DATABASE_URL cannot be used: ${error.message || String(code)}.`;
  }
  if (error.name === 'Error' || error instanceof TypeError) return error.stack ?? error.message;
  return error.message;
}
