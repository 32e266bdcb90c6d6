// What the console needs of Turbo, whose bundle lies beside this file as its npm package has it (tools/verify.sh compares).
export declare function visit(location: string, options?: { action?: "advance" | "replace"; frame?: string }): void;
