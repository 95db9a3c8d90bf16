-- To find the sagas of a business key, newest first. A saga without one costs nothing.
CREATE INDEX sagas_business_key ON sagas (business_key, begun_at, id) WHERE business_key <> '';
