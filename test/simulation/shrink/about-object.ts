import type { CredentialFact, ExchangeFact, Fact, OrganizationFact } from '../facts/fact.js';

/** Ids, addresses and hashes in words. */
const NAME = /0x[0-9a-f]{40,64}|[0-9a-f]{8}-[0-9a-f-]{27}/gi;
/** Where one of these in a fact is a name of the object, the others beside it are names too. */
const KNOWN_BY = ['id', 'from', 'to'];
const NAMED_BY = [
  'address',
  'session_id',
  'payment_request_id',
  'transaction_hash',
  'transactionHash',
  'url',
];
/** Acts, troubles, and steps that had a fate. */
const STORY = /^(act \d|trouble |\S+ \[)/;

export class AboutObject {
  private readonly facts: readonly (Fact | null)[];
  private readonly names: Set<string>;

  /**
   * @param history its lines
   * @param object words that have an id, an address or a hash of the object
   */
  constructor(
    private readonly history: readonly string[],
    object: string,
  ) {
    this.facts = history.map((line) => (line.startsWith('{') ? (JSON.parse(line) as Fact) : null));
    this.names = new Set(object.toLowerCase().match(NAME));
    for (let known = -1; known !== this.names.size;) {
      known = this.names.size;
      for (const fact of this.facts) this.learn(fact);
    }
  }

  lines(): string[] {
    return this.history.flatMap((line, place) => {
      if (STORY.test(line)) return [line];
      if (!this.isNamed(line)) return [];
      const fact = this.facts[place];
      return [fact ? JSON.stringify(this.cut(fact)) : line];
    });
  }

  merchant(): number | undefined {
    const all = this.facts.filter((fact) => fact !== null);
    const shown = all.find(
      (fact): fact is ExchangeFact & { keyId: string } =>
        fact.kind === 'exchange' &&
        fact.keyId !== null &&
        fact.answer !== 'lost' &&
        fact.answer.status < 300 &&
        this.isNamed(JSON.stringify(fact)),
    );
    const its = all.find(
      (fact): fact is CredentialFact => fact.kind === 'credential' && fact.keyId === shown?.keyId,
    );
    const made = all.filter((fact): fact is OrganizationFact => fact.kind === 'organization');
    const ids = [...new Set(made.map(({ organizationId }) => organizationId))];
    return its && ids.indexOf(its.organizationId) + 1;
  }

  private isNamed(text: string): boolean {
    const lower = text.toLowerCase();
    return [...this.names].some((name) => lower.includes(name));
  }

  private learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const record = value as Readonly<Record<string, unknown>>;
    const textOf = (key: string) => (typeof record[key] === 'string' ? [record[key].toLowerCase()] : []);
    if (KNOWN_BY.flatMap(textOf).some((text) => this.names.has(text)))
      for (const text of NAMED_BY.flatMap(textOf)) this.names.add(text);
    for (const part of Object.values(record)) this.learn(part);
  }

  private cut(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value))
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.cut(part)]));
    const isAbout = (item: unknown) =>
      typeof item !== 'object' || item === null || this.isNamed(JSON.stringify(item));
    return value.filter(isAbout).map((item) => this.cut(item));
  }
}
