/** Whether a header of requests to agents belongs to the connection or to the protocol, and is no one else's to choose. */
export const isSetByGavel = (name: string): boolean =>
  /^(host|content-.*|transfer-encoding|connection|keep-alive|upgrade|proxy-.*|accept.*|a2a-version|user-agent|te|trailer|expect)$/i.test(
    name,
  );

/** Whether a text can be the value of a header. */
export const isSendable = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
