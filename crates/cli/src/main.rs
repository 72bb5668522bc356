//! The program `robolog`.

fn main() -> std::process::ExitCode {
    robolog::main()
}
