type Query = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

const CONTEXTS = `n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast', 'test')`;

/** Notes in `test.written_rows` how many rows each statement of the process `api` inserts, updates or deletes, by table. */
const COUNTING = `
CREATE SCHEMA test;
CREATE TABLE test.written_rows (written_table text NOT NULL, amount bigint NOT NULL);
CREATE FUNCTION test.note_written_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('application_name') = 'api' THEN
    INSERT INTO test.written_rows
    SELECT TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME, count(*) FROM changed HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;
DO $$
DECLARE target record;
BEGIN
  FOR target IN SELECT c.oid::regclass AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    -- An INSERT into a partitioned table fires its triggers, and none of a partition.
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND ${CONTEXTS} LOOP
    EXECUTE format('CREATE TRIGGER test_inserted AFTER INSERT ON %s REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION test.note_written_rows()', target.name);
    EXECUTE format('CREATE TRIGGER test_updated AFTER UPDATE ON %s REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION test.note_written_rows()', target.name);
    EXECUTE format('CREATE TRIGGER test_deleted AFTER DELETE ON %s REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION test.note_written_rows()', target.name);
  END LOOP;
END $$`;

export class WrittenRows {
  private constructor(private readonly query: Query) {}

  static async count(query: Query): Promise<WrittenRows> {
    await whileDeadlocked(() => query(COUNTING));
    return new WrittenRows(query);
  }

  async taken(): Promise<Record<string, number>> {
    const rows = await this.query<{ written_table: string; amount: string }>(
      `WITH taken AS (DELETE FROM test.written_rows RETURNING *)
       SELECT written_table, sum(amount) AS amount FROM taken GROUP BY written_table ORDER BY written_table`,
    );
    return Object.fromEntries(rows.map((row) => [row.written_table, Number(row.amount)]));
  }
}

/** A worker that writes meanwhile locks tables in another order; one of the two is refused. */
async function whileDeadlocked(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '40P01') throw error;
    }
  }
}
