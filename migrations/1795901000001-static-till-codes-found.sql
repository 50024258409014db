-- Apart from what locks the tables. Writers continue while the rows are validated; points of sale are few.
SET LOCAL lock_timeout = '3s';

ALTER TABLE point_of_sale.points_of_sale VALIDATE CONSTRAINT points_of_sale_till_physical;
CREATE UNIQUE INDEX points_of_sale_of_code ON point_of_sale.points_of_sale (code);
CREATE INDEX points_of_sale_without_code ON point_of_sale.points_of_sale (id) WHERE type = 'physical' AND code IS NULL;
