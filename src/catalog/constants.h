/*
 * Empirical numbers that the estimators use, one member per catalogue row of kind `constants`
 * (src/catalog/constants/). Sources and evidence are in the rows; members are in base units.
 */
#ifndef GP_CATALOG_CONSTANTS_H
#define GP_CATALOG_CONSTANTS_H

#include "catalog/catalog.h"

enum { GP_CONSTANTS_OPTIMIZERS = 7 }; /* kinds of gp_optimizer */

typedef struct gp_constants {
    gp_meta meta; /* origins point at the rows */
    /* training memory (rows memory.*) */
    double memory_format_bytes[GP_FORMAT_COUNT];            /* of one element, scales included */
    double memory_optimizer_bytes[GP_CONSTANTS_OPTIMIZERS]; /* by gp_optimizer */
    double memory_master_bytes;
    double memory_adapter_bytes;
    double memory_dora_fraction;
    double memory_remat_factor;
    double memory_residual_bytes;
    double memory_residual_autocast_bytes;
    double memory_imbalance_factor;
    double memory_scores_bytes;
    double memory_scores_mask_bytes;
    double memory_dropout_bytes;
    double memory_logits_eager_bytes;
    double memory_logits_eager_split_bytes;
    double memory_logits_eager_sharded_bytes;
    double memory_logits_fused_bytes;
    double memory_logits_sharded_bytes;
    double memory_logits_parallel_bytes;
    double memory_logits_compiled_bytes;
    double memory_context_bytes;
    double memory_communicator_bytes;
    double memory_pipeline_bytes;
    double memory_fragmentation_fraction;
    double memory_fsdp_layers;
    double memory_fits_fraction;
    double memory_borderline_fraction;
    /* training time (rows training.*) */
    double training_share_power, training_share_bandwidth; /* exponents between parts */
    double training_share_power_j, training_share_bytes;   /* of a FLOP: the part they are 1 at */
    double network_unstated_bits_per_s;                    /* per GPU */
    double training_framework_spread;                      /* logarithm, at the 80th percentile */
    double training_run_spread, training_run_spread_recompute, training_run_spread_batch;
    double plan_band_tenth_deviations, plan_band_fifth_deviations;
    double training_gemm_tokens;
    double training_gemm_width;
    double training_expert_tokens;
    double training_attention_backward;
    double training_attention_tokens;
    double training_attention_head;
    double training_attention_flash2_fraction;
    double training_attention_triton_fraction;
    double training_attention_eager_bytes;
    double training_elementwise_passes;
    double training_eager_factor;
    double training_selective_fraction;
    double training_host_layer_s;
    double training_host_adapter_s;
    double training_host_sharded_s;
    double training_host_unit_s;
    double training_host_expert_s;
    double training_moe_passes;
    double training_moe_layer_s;
    double training_host_split_fraction;
    double training_host_step_s;
    double training_scan_bytes;
    double training_adapter_layer_s;
    double training_adapter_passes;
    double training_dequantize_flop;
    double training_dequantize_int4_flop;
    double training_offload_bytes_per_s;
    double training_offload_nvme_bytes_per_s;
    double training_offload_buffer_factor;
    double training_update_bytes_per_s;
    double training_optimizer_bytes;
    double training_tp_exposed;
    double training_cp_exposed;
    double training_ep_exposed;
    double training_pp_exposed;
    double training_dp_exposed;
    double training_fsdp_exposed;
    double training_overlap_fraction;
    double training_moe_error_fraction;
    double training_adapter_error_fraction;
    double training_finetune_error_fraction;
    double training_open_error_fraction;
    double training_open_error_tokens;
    /* collectives and network (rows network.*) */
    double network_scale_up_latency_s;
    double network_scale_up_fraction;
    double network_scale_out_latency_s;
    double network_scale_out_hop_s;
    double network_scale_out_fraction;
    double network_write_fraction; /* of a port's rate: one stream of RDMA writes */
    double network_scale_out_efa_latency_s;
    double network_scale_out_error_fraction;
    double network_scale_out_count; /* of measured collectives beneath it */
    double network_band_ratio;
    double network_host_bytes_per_s;
    double network_staged_bytes_per_s;
    double network_send_latency_s;
    /* reliability and storage (rows run.*) */
    double run_gpu_mttf_s;
    double run_restart_s;
    double run_token_bytes;
    double run_spares_fraction;
    double run_checkpoint_bytes;
    double run_storage_write_bytes_per_s;
    double run_storage_read_bytes_per_s;
    /* serving (rows serving.*) */
    double serving_utilization_fraction;
    double serving_sampler_bytes;
    double serving_reserve_sequences;
    double serving_reserve_tokens;
    double serving_small_memory_bytes;
    double serving_small_sequences;
    double serving_small_tokens;
    double serving_non_torch_bytes;
    double serving_non_torch_tp_bytes;
    double serving_non_torch_host_bytes;
    double memory_workspace_bytes;
    double memory_allocator_page_bytes;
    double memory_allocator_large_bytes;
    double memory_allocator_split_bytes;
    double serving_kv_block_tokens;
    double serving_mxfp4_tile; /* columns that a rank's part of an expert is padded to */
    double serving_hybrid_waste_fraction;
    double serving_prefix_shared_fraction;
    double serving_adapter_share_fraction;
    double serving_adapter_slowdown_fraction;
    double serving_step_s;
    double serving_sequence_s;
    double serving_interference_fraction;
    double serving_attention_tokens;
    double serving_moe_unpack_fraction;
    double serving_all_reduce_host_new_fraction;
    double serving_exchange_dispatch_s; /* few tokens to their experts, and back */
    double serving_exchange_combine_s;
    double serving_exchange_link_fraction;    /* of a link's rate */
    double serving_exchange_efa_fraction;     /* of a port's rate, few tokens by such adapters */
    double serving_exchange_network_fraction; /* of a port's rate: tokens to experts elsewhere */
    double serving_exchange_hidden_fraction;  /* of an exchange beside another half of the batch */
    double serving_exchange_tokens;           /* of a rank that its buffers have room for */
    double serving_uneven_fraction;           /* spread of the work of one sequence */
    double serving_moe_spread;                /* of the load of one expert over its mean */
    double serving_unstated_tokens;
    double serving_unstated_output_tokens;
    double serving_queue_sequences;
    double serving_image_tokens;
    double serving_question_tokens;
    double serving_encoder_factor;
    double serving_bounded_fraction;
    double plan_band_reading_fraction;
    double plan_band_denoising_fraction;
    double plan_band_scoring_fraction;
    double plan_band_speech_fraction;
    double serving_speech_factor;     /* time of engines of speech over that of decoders' */
    double serving_ranked_items;      /* of one sample of benchmarks of recommenders */
    double serving_speech_tokens;     /* written of one utterance of a benchmark */
    double item_product_fraction;     /* of the rate of prompts: products of a denoiser, */
    double item_convolution_fraction; /* of one that is no transformer, */
    double item_scoring_fraction;     /* of recommenders and classifiers, */
    double item_decoder_fraction;     /* of what makes pixels */
    double item_attention_fraction;   /* of the 16-bit peak, where its class has no figure */
    double item_element_bytes;        /* read and written per number between modules */
    double item_launch_s;             /* of one layer of plain modules */
    double item_split_fraction;       /* work lost each time the GPUs of an item double */
    double item_pixel_bytes;          /* held for a pixel that comes out */
    double serving_video_tokens;
    double serving_overlap;
    double serving_code_tokens;
    double serving_latent_layer_s;
    double serving_index_layer_s;
    double serving_split_fraction;
    double serving_linear_layer_s;
    double serving_stream_s;
    double serving_moe_row_s;
    double serving_unpack_fraction;
    double serving_pipeline_fraction;
    double serving_all_reduce_host_fraction;
    double serving_moe_layer_s;
    double serving_moe_gemm_fraction;
    double serving_moe_hbm_fraction;
    double serving_moe_tile_tokens;
    double serving_moe_unpack_tokens;
    double serving_moe_imbalance;
    double serving_all_reduce_base_s;
    double serving_all_reduce_hop_s;
    double serving_all_reduce_link_fraction;
    double serving_weight_only_fraction;
    double serving_prefill_ramp_tokens;
    double serving_prefill_attention_fraction;
    double serving_decode_attention_fraction;
    double serving_request_s;
    double serving_wave_fraction;
    double serving_input_cv;
    double serving_output_cv;
    double serving_percentile_normal;
    double serving_percentile_tail_fraction;
    double serving_draft_tokens;
    double serving_draft_acceptance_fraction;
    double serving_draft_cost_fraction;
    double serving_start_read_bytes_per_s;
    double serving_start_engine_s;
    double serving_percentile99_normal;
    double serving_percentile99_tail_fraction;
    /* power, cooling, carbon, fabric (rows site.*, fabric.*) */
    double site_gpu_training_fraction;
    double site_gpu_inference_fraction;
    double site_gpu_peak_fraction;
    double site_gpu_idle_fraction;
    double site_module_fraction;
    double site_gpu_tuned_fraction;
    double site_host_busy_fraction;
    double site_host_serving_fraction;
    double site_host_idle_fraction;
    double site_rest_busy_fraction;
    double site_rest_idle_fraction;
    double site_fan_fraction;
    double site_power_error_fraction;
    double site_power_saturation_exponent;
    double site_power_cap_exponent;
    double site_btu_per_h_per_w;
    double site_air_density;
    double site_air_heat_capacity;
    double site_air_lapse_per_m;
    double site_air_exponent;
    double site_liquid_density;
    double site_liquid_heat_capacity;
    double site_air_rise_k;
    double site_liquid_rise_k;
    double site_liquid_fraction;
    double site_rack_height_u;
    double site_rack_air_warning_w;
    double site_rack_air_limit_w;
    double fabric_radix;
    double fabric_assumed_bits_per_s;
    double fabric_group_units;
    /* what stands in the room (rows facility.*, run.*, storage.*, host.*) */
    double facility_link_j_per_byte;
    double facility_board_w;
    double facility_host_w;
    double facility_sockets_per_gpu;
    double facility_memory_of_gpu;
    double facility_memory_w_per_byte;
    double facility_nic_j_per_bit;
    double facility_fan_fraction;
    double facility_supply_fraction;
    double facility_transient_factor;
    double facility_ups_fraction;
    double facility_distribution_fraction;
    double facility_air_handler_fraction;
    double facility_chiller_fraction;
    double facility_pump_fraction;
    double facility_dry_cooler_fraction;
    double facility_base_fraction;
    double facility_chilled_cold_fraction;
    double facility_chilled_temperate_fraction;
    double facility_chilled_hot_fraction;
    double facility_fixed_fraction;
    double facility_overhead_error_fraction;
    double facility_water_l_per_j;
    double facility_air_containment_w;
    double facility_air_derate_m;
    double facility_air_derate_m_per_k;
    double facility_coolant_outlet_c;
    double facility_coolant_approach_k;
    double facility_free_cooling_c;
    double facility_unit_derate_fraction;
    double facility_switch_j_per_bit;
    double facility_system_node_w;
    double facility_system_node_u;
    double run_gpu_mttf_few_s;
    double run_gpu_mttf_many_s;
    double run_repair_s;
    double run_early_fraction;
    double run_spare_confidence;
    double storage_stall_fraction;
    double storage_kept_count;
    double storage_restart_s;
    double storage_start_s;
    double storage_write_of_read_fraction;
    double host_memory_base_bytes;
    double host_memory_gpu_bytes;
    double host_memory_cache_fraction;
    double host_cores_base;
    double host_cores_gpu;
    double host_cores_images;
    double host_nvme_bytes;
    /* planning bands and verdict thresholds (rows plan.*) */
    double plan_split_fraction; /* gain that a doubling of pipeline or context ranks must bring */
    double plan_pipeline_depth; /* stages tried at most over the fewest that memory asks for */
    double plan_batch_range_fraction;    /* of a batch that nobody states, either way */
    double plan_batch_rounding_fraction; /* of one that is no whole number of sequences */
    double plan_batch_gpu_tokens;        /* least per GPU and step where nobody states the batch */
    double plan_sample_cv;               /* spread of unpacked samples' lengths */
    double plan_candidate_years;         /* age of GPUs that are offered unasked */
    double plan_band_serving_fraction;
    double plan_band_serving_moe_fraction;
    double plan_band_ttft_fraction;
    double plan_band_ttft_moe_fraction;
    double plan_band_ttft_queued_fraction;
    double plan_band_ttft_lone_fraction;
    double plan_band_rate_fraction;
    double plan_band_training_fraction;
    double plan_band_memory_training_fraction;
    double plan_band_memory_tuning_fraction;
    double plan_band_memory_small_fraction;
    double plan_band_memory_small_bytes;
    double plan_band_memory_serving_fraction;
    double plan_band_memory_weights_fraction;
    double plan_band_memory_pool_fraction;
    double plan_peak_to_mean;
    double plan_arrival_cv;
    double plan_length_p95_of_mean;
    double plan_output_p95_of_mean;
    double plan_length_p99_of_mean;
    double plan_output_p99_of_mean;
    double plan_scale_kv_fraction;
    double plan_split_fill_fraction;
    double plan_peak_hour;
    double plan_peak_minute;
    double plan_diurnal_peak_to_trough;
    double plan_diurnal_weekend_fraction;
    double plan_office_peak_to_trough;
    double plan_office_weekend_fraction;
    double plan_office_peak_minute;
    double plan_node_availability_fraction;
    double plan_software_saving_fraction;
    double plan_memory_warning_fraction;

    /* reinforcement learning (rows rl.*) */
    double rl_response_spread; /* logarithm */
    double rl_response_runaway_fraction;
    double rl_response_thought_fraction, rl_response_answer_tokens;
    double rl_refit_s, rl_refit_fraction, rl_refit_narrow_bytes_per_s;
    double rl_engine_claim_fraction, rl_engine_left_bytes;
    double rl_other_fraction;
    double plan_band_rl_fraction;
    /* simulation (rows simulate.*) */
    double simulate_input_least;
    double simulate_input_p10;
    double simulate_input_p25;
    double simulate_input_p50;
    double simulate_input_p75;
    double simulate_input_p90;
    double simulate_input_p95;
    double simulate_input_p99;
    double simulate_input_most;
    double simulate_output_least;
    double simulate_output_p10;
    double simulate_output_p25;
    double simulate_output_p50;
    double simulate_output_p75;
    double simulate_output_p90;
    double simulate_output_p95;
    double simulate_output_p99;
    double simulate_output_most;
    double simulate_diurnal_ratio;
    double simulate_router_imbalance;
    double simulate_router_slack;
    double simulate_start_s;
    double simulate_autoscale_period_s;
    double simulate_autoscale_quiet_s;
    double simulate_unmeasured_fraction;
    double simulate_requests;

    /* plan against reality (rows observe.*) */
    double observe_demand_fraction;
    double observe_length_fraction;
    double observe_latency_fraction;
    double observe_memory_fraction;
    double observe_kv_full_fraction;
    double observe_replicas_fraction;
    double observe_running_fraction;
    double observe_power_fraction;
    double observe_activity_fraction;
} gp_constants;

/* Descriptor of gp_constants: key = row id, dimension and member of each. */
extern const gp_struct gp_constants_type;

/* Loads every constants row into its member; a missing row or member is GP_ERR_INTERNAL with a
 * diagnostic. */
gp_status gp_constants_load(gp_arena *arena, gp_catalog *catalog, gp_diags *diags,
                            gp_constants *ret_constants);

#endif
