-- The journal: batches in one order. Plain tables and functions, nothing that a managed server or a pooler lacks.
CREATE SCHEMA skan_journal;

-- What does not change with an append.
CREATE TABLE skan_journal.about (
  one integer PRIMARY KEY CHECK (one = 1),
  layout integer NOT NULL,
  -- The oldest position that is kept.
  first bigint NOT NULL
);

-- The end of the journal. Its row is locked from the append's update to the end of the commit, and no message to a
-- client is between, so positions have no gap and become visible in their order.
CREATE TABLE skan_journal.head (
  identity uuid PRIMARY KEY,
  position bigint NOT NULL,
  chain bytea NOT NULL
) WITH (fillfactor = 10);

-- The newest batch of each node: an append that is sent again adds nothing, and a second process is noticed.
CREATE TABLE skan_journal.node (
  name text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL,
  position bigint NOT NULL,
  digest bytea NOT NULL
) WITH (fillfactor = 10);

CREATE TABLE skan_journal.batch (
  position bigint PRIMARY KEY,
  node text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  -- SHA-256 of the chain before, the node's name, the number as eight bytes, and the SHA-256 of the body.
  chain bytea NOT NULL,
  body bytea NOT NULL
);
-- Bodies are packed already.
ALTER TABLE skan_journal.batch ALTER body SET STORAGE EXTERNAL;

-- Appends one batch and returns its position and the chain up to it. The node's row comes first, so an append that is sent again waits for its
-- own first attempt; the head comes last. The limit of locks ends attempts that no client waits for any more.
CREATE FUNCTION skan_journal.append(
  p_identity uuid, p_node text, p_number bigint, p_body bytea, OUT at bigint, OUT chain bytea
) LANGUAGE plpgsql SET search_path = pg_catalog SET lock_timeout = '3s' AS $append$
DECLARE
  v_digest bytea := sha256(p_body);
  v_node record;
  v_head record;
BEGIN
  -- A commit that only memory has would not be durable; every other level is the operator's choice.
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  SELECT n.number, n.position, n.digest INTO v_node FROM skan_journal.node n WHERE n.name = p_node FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO skan_journal.node VALUES (p_node, 0, 0, '') ON CONFLICT DO NOTHING;
    SELECT n.number, n.position, n.digest INTO v_node FROM skan_journal.node n WHERE n.name = p_node FOR UPDATE;
  END IF;
  IF p_number = v_node.number AND v_node.digest = v_digest THEN
    at := v_node.position;
    chain := (SELECT b.chain FROM skan_journal.batch b WHERE b.position = at);
    RETURN;
  END IF;
  IF p_number <> v_node.number + 1 THEN
    RAISE EXCEPTION 'node % is at %, not %', p_node, v_node.number, p_number - 1
      USING ERRCODE = 'SJ001', DETAIL = v_node.number::text;
  END IF;
  UPDATE skan_journal.head h SET position = h.position + 1,
      chain = sha256(h.chain || convert_to(p_node, 'UTF8') || int8send(p_number) || v_digest)
    WHERE h.identity = p_identity RETURNING h.position, h.chain INTO v_head;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this is not the journal %', p_identity USING ERRCODE = 'SJ002';
  END IF;
  INSERT INTO skan_journal.batch VALUES (v_head.position, p_node, p_number, v_head.chain, p_body);
  UPDATE skan_journal.node n SET number = p_number, position = v_head.position, digest = v_digest WHERE n.name = p_node;
  at := v_head.position;
  chain := v_head.chain;
END $append$;

-- The newest batch of a node, after an append of it that is under way. The lock gives this transaction a commit that
-- waits for a synchronous standby, so what is returned is durable.
CREATE FUNCTION skan_journal.newest(p_node text, OUT number bigint, OUT at bigint) RETURNS SETOF record
LANGUAGE sql SET search_path = pg_catalog SET lock_timeout = '3s' AS $newest$
  SELECT n.number, n.position FROM skan_journal.node n WHERE n.name = p_node FOR UPDATE;
$newest$;

-- Deletes batches before a position; the newest batch stays, so that followers can compare their chain with it.
CREATE FUNCTION skan_journal.delete_before(p_position bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog SET lock_timeout = '3s' AS $delete$
DECLARE
  v_first bigint;
BEGIN
  UPDATE skan_journal.about a SET first = greatest(a.first, least(p_position, (SELECT h.position FROM skan_journal.head h)))
    RETURNING a.first INTO v_first;
  DELETE FROM skan_journal.batch b WHERE b.position < v_first;
  RETURN v_first;
END $delete$;
