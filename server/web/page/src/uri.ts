/** The address of the text, for the server. */
export const URI = 'file:///playground/pipeline.dot';
