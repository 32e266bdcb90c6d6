// What the reference page needs of redoc, whose bundle lies beside this file as its npm package has it, but for the picture of its
// maker, which would be fetched from elsewhere (tools/verify.sh compares).
export declare function init(document: string, options: { disableTelemetry: boolean }, into: Element): unknown;
