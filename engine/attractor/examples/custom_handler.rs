//! A handler of the program's own: declared attributes, output, cancellation, and a failure that is retried.
//!
//! `cargo run -p attractor --example custom_handler`

use attractor::{
    CustomAttribute, CustomType, Engine, Execution, FailureClass, NodeHandler, NodeInput, Outcome,
    Pipeline,
};

/// Rolls out to a number of hosts; the first attempt meets one that is busy.
struct RollOut;

impl NodeHandler for RollOut {
    fn execute(&self, input: NodeInput<'_>) -> Execution {
        let hosts: u32 = input
            .attribute("hosts")
            .and_then(|hosts| hosts.parse().ok())
            .unwrap_or(1);
        let attempt = input.attempt();
        Execution::run(move |env| async move {
            for host in 1..=hosts {
                if env.is_cancelled() {
                    return Outcome::fail(FailureClass::Canceled, "stopped");
                }
                env.write(&format!("host {host}: done\n"));
            }
            if attempt == 1 {
                return Outcome::fail(FailureClass::TransientInfra, "host 1 is busy");
            }
            Outcome::success().with("rolled_out", hosts)
        })
    }

    fn attributes(&self) -> Vec<CustomAttribute> {
        vec![CustomAttribute {
            name: "hosts".to_owned(),
            ty: CustomType::Integer,
            doc: "How many hosts to roll out to.".to_owned(),
            required: true,
        }]
    }

    fn sets(&self) -> Vec<String> {
        vec!["rolled_out".to_owned()]
    }
}

#[tokio::main]
async fn main() -> Result<(), attractor::Error> {
    let pipeline = Pipeline::builder("release")
        .node("start", &[("shape", "Mdiamond")])
        .node(
            "roll_out",
            &[
                ("handler", "roll_out"),
                ("hosts", "{hosts}"),
                ("max_retries", "1"),
                ("retry_delay", "10ms"),
            ],
        )
        .node("done", &[("shape", "Msquare")])
        .edge("start", "roll_out")
        .edge("roll_out", "done")
        .build()?;
    let engine = Engine::builder().handler("roll_out", RollOut).build()?;
    let run = engine.run(&pipeline).input("hosts", 3).start().await?;
    let report = run.wait().await;
    println!("{:?}: {}", report.status, report.path.join(" → "));
    if let Some(hosts) = report.context.get("rolled_out") {
        println!("rolled out to {hosts} hosts");
    }
    Ok(())
}
