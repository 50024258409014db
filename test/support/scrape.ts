const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** An answer of `GET /metrics`, in Prometheus' text format. */
export class Scrape {
  private readonly samples: readonly Sample[];
  readonly chainTypes: ReadonlySet<string>;

  constructor(readonly text: string) {
    const lines = text.split('\n');
    this.chainTypes = new Set(
      lines.flatMap((line) => (line.startsWith('# TYPE ') ? [line.split(' ')[2]!] : [])),
    );
    this.samples = lines.flatMap((line) => {
      const [, name, labels, value] = SAMPLE.exec(line) ?? [];
      if (name === undefined) return [];
      const pairs = [...(labels ?? '').matchAll(LABEL)].map(([, label, text]) => [label, text]);
      return [{ name, labels: Object.fromEntries(pairs) as Sample['labels'], value: Number(value) }];
    });
  }

  /** @param port of the loopback address @throws where it is not answered with 200 */
  static async of(port: number): Promise<Scrape> {
    // The port closes connections that were idle for five seconds. A busy test would learn it only by its next request.
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } });
    if (response.status !== 200) throw new Error(`GET /metrics was answered with ${response.status}.`);
    return new Scrape(await response.text());
  }

  /** The value of the one sample of this name; undefined where there is none. @throws where there are several */
  value(name: string): number | undefined {
    const found = this.samples.filter((sample) => sample.name === name);
    if (found.length > 1) throw new Error(`${name} has ${found.length} samples.`);
    return found[0]?.value;
  }

  /** The sum of all samples of this name with these labels; 0 where there is none. */
  sum(name: string, labels: object): number {
    const asked = Object.entries(labels) as [string, string][];
    return this.samples
      .filter(
        (sample) => sample.name === name && asked.every(([label, text]) => sample.labels[label] === text),
      )
      .reduce((sum, { value }) => sum + value, 0);
  }
}
