/** The first release of each line of Node whose Brotli decoder is fixed (CVE-2026-111497). */
const FIXED = ['22.23.4', '24.22.1', '26.12.1'];

/** @returns a sentence for the operator, or null for a release that has the fix */
export function nodeReleaseWarning(version: string): string | null {
  if (hasFix(version)) return null;
  return (
    `Node ${version} has CVE-2026-111497: its Brotli decoder can be made to run code from a response. The service decodes no ` +
    `Brotli, but update Node to ${FIXED.slice(0, -1).join(', ')}, ${FIXED.at(-1)} or newer.`
  );
}

function hasFix(version: string): boolean {
  const [major] = partsOf(version);
  const fixed = FIXED.map(partsOf);
  if (major > fixed.at(-1)![0]) return true;
  return fixed.some(([line, minor, patch]) => {
    const [, ownMinor, ownPatch] = partsOf(version);
    return major === line && (ownMinor > minor || (ownMinor === minor && ownPatch >= patch));
  });
}

function partsOf(version: string): [major: number, minor: number, patch: number] {
  return version.split('.').map((part) => Number.parseInt(part, 10)) as [number, number, number];
}
